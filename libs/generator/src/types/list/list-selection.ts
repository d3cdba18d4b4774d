import { WeightedPick, type RandomStream } from '@understudy/random';
import { ParameterFault } from '../../definition/errors.js';
import { weightedVariety, type Variety } from '../../values/variety.js';
import type { Candidates } from './list-candidates.js';

/** The candidates that may be picked. */
export interface ListSelection {
  /** The number of candidates. */
  readonly size: number;
  /** Returns the index of a candidate, picked by weight. */
  readonly pick: (random: RandomStream) => number;
  /** Returns the variety of the values, or undefined if templates produce them or if one is null. */
  readonly variety: () => Variety | undefined;
}

/** @throws ParameterFault if no candidate matches, or if all matching candidates have weight 0 */
export function selectFrom(
  { elements, path, isFixed }: Candidates,
  isMatch: (item: unknown) => boolean,
): ListSelection {
  const indexes: number[] = [];
  elements.forEach(({ item }, i) => {
    if (isMatch(item)) indexes.push(i);
  });
  if (indexes.length === 0)
    throw new ParameterFault(path, 'no element matches where; widen the condition, or add elements');
  const weights = Float64Array.from(indexes, (i) => elements[i]?.weight ?? 0);
  if (weights.every((weight) => weight === 0)) {
    const all = indexes.length === elements.length ? 'all' : 'all matching';
    throw new ParameterFault(path, `${all} weights are 0; give at least one element a weight above 0`);
  }
  const pick = weightedPick(weights, path);
  const { length: size } = indexes;
  const kept = Uint32Array.from(indexes);
  const variety = (): Variety | undefined =>
    isFixed
      ? varietyOf(
          Array.from(kept, (i) => elements[i]?.value),
          weights,
        )
      : undefined;
  if (size === elements.length) return { size, pick: (random) => pick.pick(random), variety };
  return { size, pick: (random) => kept[pick.pick(random)] ?? 0, variety };
}

/**
 * Returns the variety of weighted values. A scalar that occurs several times counts once, with the sum of its
 * weights. Returns undefined if a value is null. `unique` accepts null repeatedly, so no variety applies.
 */
function varietyOf(values: readonly unknown[], weights: Float64Array): Variety | undefined {
  const byValue = new Map<unknown, number>();
  values.forEach((value, i) => byValue.set(value, (byValue.get(value) ?? 0) + (weights[i] ?? 0)));
  return byValue.has(null) ? undefined : weightedVariety(byValue.values());
}

function weightedPick(weights: Float64Array, path: string): WeightedPick {
  try {
    return new WeightedPick(weights);
  } catch (error) {
    if (error instanceof RangeError) throw new ParameterFault(path, error.message);
    throw error;
  }
}
