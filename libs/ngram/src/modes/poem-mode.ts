import { checkCount } from './check-parameter.js';
import type { LinePlan, LineWords } from './lines/line-plan.js';
import { MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import type { ModeSite } from './mode-site.js';
import { VersesPlan } from './verses-plan.js';

const DEFAULT_VERSES = 4;
const DEFAULT_STANZA_LENGTH = 4;
const DEFAULT_MAX_WORDS = 8;

/**
 * Generates verses in stanzas. With a model over words, a verse is a complete value that is short enough, or
 * the beginning of a longer value.
 */
export function compilePoem(site: ModeSite, parameters: ModeParameters['poem']): LinePlan {
  const verses = checkCount(parameters.verses ?? DEFAULT_VERSES, 'verses', MODE_LIMITS.verses);
  const stanzaLength = checkCount(
    parameters.stanzaLength ?? DEFAULT_STANZA_LENGTH,
    'stanza_length',
    MODE_LIMITS.stanzaLength,
  );
  const verse = site.line({ words: verseWords(parameters.maxWords) });
  return new VersesPlan(Array<LinePlan>(verses).fill(verse), stanzaLength, site.isOriginal);
}

export function verseWords(maxWords: number | undefined): LineWords {
  const count = checkCount(maxWords ?? DEFAULT_MAX_WORDS, 'max_words', MODE_LIMITS.maxWords);
  return { kind: 'at most', count, parameter: 'max_words' };
}
