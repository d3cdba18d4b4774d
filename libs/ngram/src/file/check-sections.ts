import { ModelFormatError } from '../errors.js';
import { LONGEST_WORD } from '../model/ngram-model.js';
import type { SortedTexts } from '../model/sorted-texts.js';
import { isUtf8, utf8Length } from '../model/utf8.js';

/**
 * Checks that each text is valid UTF-8, has at least one byte and at most `LONGEST_WORD` code points, and
 * that the texts ascend strictly.
 * @throws ModelFormatError that names the section
 */
export function checkTexts({ offsets, bytes }: SortedTexts, section: string): void {
  if (offsets.length === 0 || offsets[0] !== 0 || offsets[offsets.length - 1] !== bytes.length) {
    throw new ModelFormatError(`section ${section}: the offsets do not cover the texts`);
  }
  for (let i = 0; i + 1 < offsets.length; i += 1) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    if (to <= from || to > bytes.length) {
      throw new ModelFormatError(`section ${section}: the offset of text ${i + 1} is out of order`);
    }
    if (!isUtf8(bytes, from, to)) throw new ModelFormatError(`section ${section}: text ${i} is not UTF-8`);
    if (to - from > LONGEST_WORD && utf8Length(bytes, from, to) > LONGEST_WORD) {
      throw new ModelFormatError(
        `section ${section}: text ${i} is longer than ${LONGEST_WORD} characters, the maximum of a value`,
      );
    }
    if (i > 0 && !isAscending(bytes, offsets[i - 1] as number, from, to)) {
      throw new ModelFormatError(`section ${section}: texts are not in ascending order`);
    }
  }
}

/** Returns whether `bytes[first, second)` is before `bytes[second, end)`. */
function isAscending(bytes: Uint8Array, first: number, second: number, end: number): boolean {
  const shared = Math.min(second - first, end - second);
  for (let i = 0; i < shared; i += 1) {
    const difference = (bytes[first + i] as number) - (bytes[second + i] as number);
    if (difference !== 0) return difference < 0;
  }
  return second - first < end - second;
}

/** The largest possible value in a histogram. No generated text has more code points, words or sentences. */
const LARGEST = 65_536;

/**
 * Checks pairs (value, count): values must ascend from 1, and counts must be at least 1.
 * @throws ModelFormatError that names the section
 */
export function checkHistogram(pairs: Uint32Array, section: string): void {
  if (pairs.length % 2 !== 0) throw new ModelFormatError(`section ${section} is cut off`);
  let previous = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const value = pairs[i] as number;
    if (value <= previous || value > LARGEST) {
      throw new ModelFormatError(`section ${section}: values are not ascending from 1 to ${LARGEST}`);
    }
    if (pairs[i + 1] === 0) throw new ModelFormatError(`section ${section}: a count is zero`);
    previous = value;
  }
}
