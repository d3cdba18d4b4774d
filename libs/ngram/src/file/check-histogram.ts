import { ModelFormatError } from '../errors.js';

/** No value of a histogram is larger: no text the library makes is longer, in whatever unit. */
const LARGEST = 65_536;

/** Pairs (value, count) with values ascending from 1 and counts from 1. @throws ModelFormatError that names the section */
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
