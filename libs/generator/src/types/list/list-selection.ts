import { WeightedPick, type RandomStream } from '@understudy/random';
import { ParameterFault } from '../../definition/errors.js';
import { weightedVariety, type Variety } from '../../values/variety.js';
import type { Candidates } from './list-candidates.js';

/** Those candidates that may be picked. */
export interface ListSelection {
  /** How many there are. */
  readonly size: number;
  /** The index of one of them, by weight. */
  readonly pick: (random: RandomStream) => number;
  /** Undefined where templates make the values. */
  readonly variety: () => Variety | undefined;
}

/** @throws ParameterFault when nothing matches, or everything that does has weight 0 */
export function selectFrom(
  { elements, path, isFixed }: Candidates,
  isMatch: (item: unknown) => boolean,
): ListSelection {
  const indexes: number[] = [];
  elements.forEach(({ item }, i) => {
    if (isMatch(item)) indexes.push(i);
  });
  if (indexes.length === 0)
    throw new ParameterFault(path, 'no element matches where: widen it, or add elements');
  const weights = Float64Array.from(indexes, (i) => elements[i]?.weight ?? 0);
  if (weights.every((weight) => weight === 0)) {
    const all = indexes.length === elements.length ? 'all' : 'all matching';
    throw new ParameterFault(
      path,
      `${all} weights are 0: give an element that may be picked a weight above 0`,
    );
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

/** Scalars that are listed more than once count once, with all their weight; null is never asked to be unique. */
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
