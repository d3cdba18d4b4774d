import { UnsatisfiableError } from '../../errors.js';
import { LONGEST_WORD } from '../../model/ngram-model.js';

/**
 * Constraints on a word. Texts are compared after NFC. `minLength` and `maxLength` are inclusive bounds of
 * the length in code points.
 */
export interface WordConstraints {
  readonly startsWith?: string;
  readonly endsWith?: string;
  readonly contains?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** If true, words are never training values. */
  readonly excludeOriginals?: boolean;
}

/** Checked constraints with all defaults, as code points. */
export interface CheckedConstraints {
  readonly prefix: readonly number[];
  readonly suffix: readonly number[];
  readonly infix: readonly number[];
  readonly minLength: number;
  /** Infinity if there is no maximum. */
  readonly maxLength: number;
  readonly excludeOriginals: boolean;
}

/** @throws UnsatisfiableError if a length is invalid or no word can have it */
export function checkConstraints(constraints: WordConstraints): CheckedConstraints {
  const minLength = lengthOf(constraints.minLength, 'min_length') ?? 0;
  const asked = lengthOf(constraints.maxLength, 'max_length') ?? Infinity;
  const maxLength = asked < LONGEST_WORD ? asked : Infinity; // plans never write a longer word
  if (minLength > maxLength) {
    throw new UnsatisfiableError(
      `min_length ${minLength} is greater than max_length ${maxLength}`,
      'min_length',
    );
  }
  const prefix = pointsOf(constraints.startsWith, 'starts_with', maxLength);
  const suffix = pointsOf(constraints.endsWith, 'ends_with', maxLength);
  const infix = pointsOf(constraints.contains, 'contains', maxLength);
  if (minLength > LONGEST_WORD) {
    throw new UnsatisfiableError(`no word is longer than ${LONGEST_WORD} characters`, 'min_length');
  }
  return {
    prefix,
    suffix,
    infix,
    minLength,
    maxLength,
    excludeOriginals: constraints.excludeOriginals === true,
  };
}

function pointsOf(text: string | undefined, name: string, maxLength: number): number[] {
  // A code point has at most two UTF-16 units, and NFC joins only a few code points. So such a text is always
  // too long.
  const isHopeless = text !== undefined && text.length > LONGEST_WORD * 16;
  const points = isHopeless
    ? undefined
    : Array.from((text ?? '').normalize('NFC'), (c) => c.codePointAt(0) as number);
  if (points === undefined || points.length > LONGEST_WORD) {
    throw new UnsatisfiableError(
      `${name} must have at most ${LONGEST_WORD} characters, the maximum of a word`,
      name,
    );
  }
  if (points.length > maxLength) {
    throw new UnsatisfiableError(`${name} is longer than max_length ${maxLength}`, name);
  }
  return points;
}

function lengthOf(length: number | undefined, name: string): number | undefined {
  if (length !== undefined && (!Number.isSafeInteger(length) || length < 0)) {
    throw new UnsatisfiableError(`${name} must be a whole number from 0`, name);
  }
  return length;
}
