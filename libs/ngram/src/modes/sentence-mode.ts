import { UnsatisfiableError } from '../errors.js';
import { checkCount, checkText } from './check-parameter.js';
import type { LinePlan, LineWords } from './lines/line-plan.js';
import { MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import type { ModeSite } from './mode-site.js';
import { SentencePlan } from './sentence-plan.js';

export const FULL_STOP = '.';

/** Generates one sentence. */
export function compileSentence(site: ModeSite, parameters: ModeParameters['sentence']): LinePlan {
  const { wordCount } = parameters;
  const words: LineWords =
    wordCount === undefined
      ? { kind: 'learned' }
      : {
          kind: 'exactly',
          count: checkCount(wordCount, 'word_count', MODE_LIMITS.wordCount),
          parameter: 'word_count',
        };
  const marks = marksOf(parameters.punctuation ?? FULL_STOP);
  const line = site.line({ startsWith: site.startsWith(parameters.startsWith), words });
  return new SentencePlan(line, marks, site.isOriginal);
}

function marksOf(punctuation: string | readonly string[]): readonly string[] {
  const marks = typeof punctuation === 'string' ? [punctuation] : punctuation;
  if (!Array.isArray(marks) || marks.length === 0 || marks.length > MODE_LIMITS.punctuations) {
    throw new UnsatisfiableError(
      `punctuation must be a text or an array of 1 to ${MODE_LIMITS.punctuations} texts`,
      'punctuation',
    );
  }
  return marks.map((mark) => checkText(mark as string, 'punctuation', MODE_LIMITS.punctuation));
}
