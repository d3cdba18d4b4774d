import type { RandomStream } from '@understudy/random';
import { AttemptsExhaustedError, UnsatisfiableError } from '../../errors.js';
import { Histogram } from '../../model/histogram.js';
import type { NgramModel } from '../../model/ngram-model.js';
import { compileWord } from '../../sampling/compile-word.js';
import { MAX_ATTEMPTS, type WordPlan } from '../../sampling/word-plan.js';
import { capitalize, caseVariants } from './capitalize.js';
import { codePoints } from '../check-parameter.js';
import type { LineOptions, LinePlan, LineRequest } from './line-plan.js';
import { LONGEST_TEXT } from '../mode-parameters.js';
import { type OriginalLookup, originalLookup } from '../original-lookup.js';

/** The number of words per sentence if the model was not trained on prose: 4 to 12, mostly 6 to 9. */
const DEFAULT_SENTENCE_WORDS = new Histogram(
  Uint32Array.of(4, 1, 5, 2, 6, 3, 7, 4, 8, 4, 9, 3, 10, 2, 11, 1, 12, 1),
);

/**
 * The beginning of a line: the complete words of `startsWith`, and a plan for the next word. That word starts
 * with the rest of `startsWith`, which may be empty.
 */
interface Opening {
  readonly words: readonly string[];
  readonly next: WordPlan;
  /** The number of UTF-16 units that `startsWith` replaces at the start of the line. */
  readonly replaced: number;
}

/**
 * Like `compileLine`, for a model over code points. Words are drawn separately, each from the model's
 * distribution.
 */
export function compileCharLine(model: NgramModel, request: LineRequest, options: LineOptions): LinePlan {
  const { startsWith, maxLength, excludeOriginals } = request;
  const opening =
    startsWith === ''
      ? { words: [], next: compileNext(model, request, '', maxLength, options), replaced: 0 }
      : openingOf(model, request, options);
  const least = opening.words.length + 1;
  const { words } = request;
  if (words.kind !== 'learned' && words.count < least) {
    throw new UnsatisfiableError(
      `${request.startParameter} has more words than ${words.parameter}`,
      request.startParameter,
    );
  }
  const rest = compileWord(model, excludeOriginals ? { excludeOriginals } : {}, options, options.budget);
  const lookup = excludeOriginals ? originalLookup(model) : undefined;
  return new CharLinePlan(model, request, opening, rest, lookup);
}

class CharLinePlan implements LinePlan {
  private readonly least: number;

  constructor(
    private readonly model: NgramModel,
    private readonly request: LineRequest,
    private readonly opening: Opening,
    private readonly rest: WordPlan,
    private readonly isOriginal: OriginalLookup | undefined,
  ) {
    this.least = opening.words.length + 1;
  }

  get byteLength(): number {
    return this.rest.byteLength + this.opening.next.byteLength;
  }

  sample(random: RandomStream): string {
    const wanted = Math.max(this.least, this.drawCount(random));
    let line = this.begin(random);
    let length = codePoints(line);
    for (let words = this.least; words < wanted; words += 1) {
      const word = this.rest.sample(random);
      length += 1 + codePoints(word);
      if (length > this.request.maxLength) break;
      line += ` ${word}`;
    }
    return line;
  }

  private drawCount(random: RandomStream): number {
    const { words } = this.request;
    if (words.kind === 'exactly') return words.count;
    if (words.kind === 'learned') {
      return (this.model.statistics.sentenceWords ?? DEFAULT_SENTENCE_WORDS).quantile(random.float53());
    }
    const fewest = Math.ceil(words.count / 2);
    return fewest + random.below(words.count - fewest + 1);
  }

  /**
   * Returns the opening words and the first drawn word. The result starts with `startsWith` exactly as given.
   * If `startsWith` is empty, the result starts with an upper-case letter.
   */
  private begin(random: RandomStream): string {
    const { words, next, replaced } = this.opening;
    const { startsWith, maxLength } = this.request;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const word = next.sample(random);
      const drawn = [...words, word].join(' ');
      const line =
        startsWith === '' ? capitalize(drawn, this.model.locale) : startsWith + drawn.slice(replaced);
      // Changing the first letter can turn a new word into a training value, and one letter into two.
      if (
        line === drawn ||
        (codePoints(line) <= maxLength && !this.isOriginal?.(firstWord(line, words.length)))
      ) {
        return line;
      }
    }
    throw new AttemptsExhaustedError(MAX_ATTEMPTS);
  }
}

/**
 * Returns the first word of a line, whose first letter `begin` may have changed. If there are no opening
 * words, the line is one drawn word, which may contain spaces. Otherwise the first word ends at the first
 * space.
 */
function firstWord(line: string, openingWords: number): string {
  return openingWords === 0 ? line : line.slice(0, line.indexOf(' '));
}

/**
 * Returns the first interpretation of `startsWith` that the model can continue. First interprets it as the
 * start of one word, which may contain spaces. Then interprets it as words that are separated by spaces. For
 * both interpretations, tries each case of the first letter.
 * @throws UnsatisfiableError if the model can continue no interpretation
 */
function openingOf(model: NgramModel, request: LineRequest, options: LineOptions): Opening {
  const variants = caseVariants(request.startsWith);
  let refusal: unknown;
  for (const split of [whole, separateWords]) {
    for (const variant of variants) {
      try {
        const { words, begun } = split(variant);
        const taken = codePoints(words.join(' ')) + (words.length === 0 ? 0 : 1);
        for (const word of words) requireWord(model, request, word, options);
        const next = compileNext(model, request, begun, request.maxLength - taken, options);
        return { words, next, replaced: variant.length };
      } catch (error) {
        if (!(error instanceof UnsatisfiableError)) throw error;
        refusal ??= error;
      }
    }
  }
  throw refusal;
}

function whole(text: string): { words: readonly string[]; begun: string } {
  return { words: [], begun: text };
}

function separateWords(text: string): { words: readonly string[]; begun: string } {
  const words = text.split(' ');
  const begun = words.pop() as string;
  return { words, begun };
}

/** @throws UnsatisfiableError if the model does not generate exactly this word */
function requireWord(model: NgramModel, request: LineRequest, word: string, options: LineOptions): void {
  const length = codePoints(word);
  const { excludeOriginals } = request;
  compileWord(
    model,
    { startsWith: word, minLength: length, maxLength: length, ...(excludeOriginals && { excludeOriginals }) },
    options,
    options.budget,
  );
}

function compileNext(
  model: NgramModel,
  { excludeOriginals, startParameter }: LineRequest,
  startsWith: string,
  room: number,
  options: LineOptions,
): WordPlan {
  if (room < 1) throw new UnsatisfiableError(`${startParameter} leaves no room for a word`, startParameter);
  return compileWord(
    model,
    {
      ...(startsWith !== '' && { startsWith }),
      ...(room < LONGEST_TEXT && { maxLength: room }),
      ...(excludeOriginals && { excludeOriginals }),
    },
    options,
    options.budget,
  );
}
