import type { RandomStream } from '@understudy/random';
import { ModeNotServedError, UnsatisfiableError } from '../errors.js';
import type { NgramModel } from '../model/ngram-model.js';
import type { OriginalValues } from '../model/originals.js';
import { checkConstraints, type WordConstraints } from '../sampling/constraints/word-constraints.js';
import { codePoints } from './check-parameter.js';

/**
 * Draws training values that meet the constraints, in proportion to their occurrences in training. Returns
 * null if no value meets them.
 */
class RealWordPlan {
  private readonly indexes: Uint32Array;
  private readonly cumulative: Float64Array;

  constructor(
    private readonly values: OriginalValues,
    indexes: readonly number[],
  ) {
    this.indexes = Uint32Array.from(indexes);
    let sum = 0;
    this.cumulative = Float64Array.from(indexes, (index) => (sum += values.countOf(index)));
  }

  get counts(): readonly number[] {
    return Array.from(this.indexes, (index) => this.values.countOf(index));
  }

  get byteLength(): number {
    return this.indexes.byteLength + this.cumulative.byteLength;
  }

  sample(random: RandomStream): string | null {
    const { cumulative } = this;
    if (cumulative.length === 0) return null;
    let low = 0;
    let high = cumulative.length - 1;
    if (high > 0) {
      const wanted = random.float53() * (cumulative[high] as number);
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((cumulative[middle] as number) > wanted) high = middle;
        else low = middle + 1;
      }
    }
    return this.values.texts.text(this.indexes[low] as number);
  }
}

/**
 * @param prefix applies in addition to `startsWith`
 * @throws ModeNotServedError if the model contains no training values
 */
export function compileRealWord(
  model: NgramModel,
  prefix: string,
  constraints: WordConstraints,
): RealWordPlan {
  const { originals } = model;
  if (originals === 'none' || originals === 'locked' || originals.kind !== 'values') {
    throw new ModeNotServedError('the model contains no training values, which mode real_word needs');
  }
  if (constraints.excludeOriginals === true) {
    throw new UnsatisfiableError(
      'exclude_originals excludes every value of mode real_word',
      'exclude_originals',
    );
  }
  checkConstraints(constraints);
  const startsWith = (constraints.startsWith ?? '').normalize('NFC');
  const endsWith = (constraints.endsWith ?? '').normalize('NFC');
  const contains = (constraints.contains ?? '').normalize('NFC');
  const { minLength = 0, maxLength = Infinity } = constraints;
  const { first, end } = originals.texts.range(prefix);
  const indexes: number[] = [];
  for (let index = first; index < end; index += 1) {
    const text = originals.texts.text(index);
    if (!text.startsWith(startsWith) || !text.endsWith(endsWith) || !text.includes(contains)) continue;
    const length = codePoints(text);
    if (length >= minLength && length <= maxLength) indexes.push(index);
  }
  return new RealWordPlan(originals, indexes);
}
