import { UnsatisfiableError } from '../../errors.js';
import { LONGEST_WORD } from '../../model/ngram-model.js';

/** What a word must be like. Texts are compared after NFC, lengths count code points, both bounds included. */
export interface WordConstraints {
  readonly startsWith?: string;
  readonly endsWith?: string;
  readonly contains?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Never a training value. */
  readonly excludeOriginals?: boolean;
}

/** The same, complete and in code points. */
export interface CheckedConstraints {
  readonly prefix: readonly number[];
  readonly suffix: readonly number[];
  readonly infix: readonly number[];
  readonly minLength: number;
  /** Infinity when there is none. */
  readonly maxLength: number;
  readonly excludeOriginals: boolean;
}

/** @throws UnsatisfiableError when the lengths are none or leave no room */
export function checkConstraints(constraints: WordConstraints): CheckedConstraints {
  const minLength = lengthOf(constraints.minLength, 'min_length') ?? 0;
  const asked = lengthOf(constraints.maxLength, 'max_length') ?? Infinity;
  const maxLength = asked < LONGEST_WORD ? asked : Infinity; // plans write no longer word in any case
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
  // A code point takes two units at most, and no more than a few make one under NFC.
  const isHopeless = text !== undefined && text.length > LONGEST_WORD * 16;
  const points = isHopeless
    ? undefined
    : Array.from((text ?? '').normalize('NFC'), (c) => c.codePointAt(0) as number);
  if (points === undefined || points.length > LONGEST_WORD) {
    throw new UnsatisfiableError(`no word is longer than ${LONGEST_WORD} characters; ${name} is`, name);
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
