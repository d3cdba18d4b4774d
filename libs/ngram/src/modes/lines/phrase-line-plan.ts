import type { RandomStream } from '@understudy/random';
import { AttemptsExhaustedError, UnsatisfiableError } from '../../errors.js';
import type { WordAlphabet } from '../../model/alphabet.js';
import type { NgramModel } from '../../model/ngram-model.js';
import { compilePhrase } from '../../sampling/phrase/compile-phrase.js';
import { DEFAULT_MAX_EDGES } from '../../sampling/compile-word.js';
import { checkConstraints } from '../../sampling/constraints/word-constraints.js';
import { MAX_ATTEMPTS, type WordPlan } from '../../sampling/word-plan.js';
import { capitalize, caseVariants } from './capitalize.js';
import { codePoints } from '../check-parameter.js';
import type { LineOptions, LinePlan, LineRequest } from './line-plan.js';
import { LONGEST_TEXT } from '../mode-parameters.js';
import { type OriginalLookup, originalLookup } from '../original-lookup.js';

/**
 * The maximum number of draws to find a value with few enough words. The last value is cut if it has too many
 * words.
 */
const WHOLE_ATTEMPTS = 20;
/** Marks that are removed from the end of a cut line. The final mark is chosen separately. */
const FINAL_MARKS = '.,;:!?\u2026\u2013\u2014-\u3002\uff01\uff1f\u3001\uff0c';

/** Like `compileLine`, for a model over words. A line is one value of the model. */
export function compilePhraseLine(model: NgramModel, request: LineRequest, options: LineOptions): LinePlan {
  const { words, startsWith, startParameter } = request;
  if (words.kind !== 'learned' && startsWith.split(' ').length > words.count) {
    throw new UnsatisfiableError(`${startParameter} has more words than ${words.parameter}`, startParameter);
  }
  const { variant, plan } = compileStart(model, request, options);
  const lookup = request.excludeOriginals ? originalLookup(model) : undefined;
  return new PhraseLinePlan(model, request, plan, variant.length, lookup);
}

class PhraseLinePlan implements LinePlan {
  constructor(
    private readonly model: NgramModel,
    private readonly request: LineRequest,
    private readonly plan: WordPlan,
    /** The number of UTF-16 units that `startsWith` replaces at the start of the line. */
    private readonly replaced: number,
    private readonly isOriginal: OriginalLookup | undefined,
  ) {}

  get byteLength(): number {
    return this.plan.byteLength;
  }

  sample(random: RandomStream): string {
    const { maxLength } = this.request;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const line = this.finish(this.drawWords(random));
      if (codePoints(line) <= maxLength && !this.isOriginal?.(line)) return line;
    }
    throw new AttemptsExhaustedError(MAX_ATTEMPTS);
  }

  private drawWords(random: RandomStream): string {
    const { words } = this.request;
    if (words.kind !== 'at most') return this.plan.sample(random);
    for (let attempt = 1; ; attempt += 1) {
      const line = this.plan.sample(random);
      const end = endOfWords(line, words.count);
      if (end === line.length) return line;
      if (attempt === WHOLE_ATTEMPTS) return line.slice(0, end);
    }
  }

  private finish(line: string): string {
    const { startsWith } = this.request;
    let end = line.length;
    while (end > this.replaced && FINAL_MARKS.includes(line.charAt(end - 1))) end -= 1;
    const text = end === 0 ? line : line.slice(0, end);
    return startsWith === '' ? capitalize(text, this.model.locale) : startsWith + text.slice(this.replaced);
  }
}

/**
 * Compiles a plan for `startsWith`. Tries each case of its first letter until the model has a value that
 * starts with this variant.
 */
function compileStart(
  model: NgramModel,
  request: LineRequest,
  options: LineOptions,
): { variant: string; plan: WordPlan } {
  let refusal: unknown;
  for (const variant of caseVariants(request.startsWith)) {
    try {
      return { variant, plan: compileVariant(model, request, variant, options) };
    } catch (error) {
      if (!(error instanceof UnsatisfiableError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

function compileVariant(
  { graph, alphabet, originals }: NgramModel,
  { words, maxLength, excludeOriginals }: LineRequest,
  startsWith: string,
  options: LineOptions,
): WordPlan {
  const checked = checkConstraints({
    startsWith,
    ...(maxLength < LONGEST_TEXT && { maxLength }),
    excludeOriginals,
  });
  const bounds = words.kind === 'exactly' ? { minWords: words.count, maxWords: words.count } : {};
  return compilePhrase(
    { graph, alphabet: alphabet as WordAlphabet, originals },
    { ...checked, ...bounds },
    options.maxPlanEdges ?? DEFAULT_MAX_EDGES,
    options.budget,
  );
}

/** Returns the position at which the first `count` words end. */
function endOfWords(line: string, count: number): number {
  let end = -1;
  for (let words = 0; words < count; words += 1) {
    end = line.indexOf(' ', end + 1);
    if (end < 0) return line.length;
  }
  return end;
}
