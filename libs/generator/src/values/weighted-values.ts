import { EvaluationError } from '@understudy/expression';
import { math, type RandomStream } from '@understudy/random';
import { comparedAs, type DistinctValues } from './distinct-values.js';

export interface WeightedValue {
  readonly value: unknown;
  /** At least 0. A value of weight 0 is never drawn. */
  readonly weight: number;
}

/**
 * Joins equal values, and adds their weights. Two arrays or objects are equal if they have the same JSON, as for
 * `unique`.
 */
export function joinEqual(values: Iterable<WeightedValue>): readonly WeightedValue[] {
  const joined = new Map<unknown, WeightedValue>();
  for (const { value, weight } of values) {
    const key = keyOf(value);
    joined.set(key, { value, weight: (joined.get(key)?.weight ?? 0) + weight });
  }
  return [...joined.values()];
}

function keyOf(value: unknown): unknown {
  if (typeof value === 'string') return `text ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  try {
    return comparedAs(value);
  } catch (error) {
    if (error instanceof EvaluationError) return value; // too long for `unique`, which refuses it
    throw error;
  }
}

/**
 * Returns a function that draws the values that are not in `seen`, each once and in proportion to the weights of
 * those that are left. Null remains after it was drawn. Costs n log n for n values, and then constant time.
 * @returns (the function) undefined if no value is left
 */
export function drawRest(
  values: readonly WeightedValue[],
  seen: DistinctValues,
  random: RandomStream,
): (random: RandomStream) => unknown {
  const rest = joinEqual(values).filter(
    ({ value, weight }) => weight > 0 && value !== null && !seen.has(value),
  );
  const nullWeight = values.reduce((sum, { value, weight }) => (value === null ? sum + weight : sum), 0);
  // Each value has the smallest of these exponential times with a probability in proportion to its weight. The same
  // applies to the next one among the others (Efraimidis and Spirakis).
  const timed = rest.map((each) => ({ ...each, time: -math.log1p(-random.float53()) / each.weight }));
  timed.sort((a, b) => b.time - a.time);
  let sum = 0;
  const totals = timed.map(({ weight }) => (sum += weight));
  return (stream) => {
    const total = totals[timed.length - 1] ?? 0;
    if (nullWeight > 0 && stream.float53() * (total + nullWeight) >= total) return null;
    return timed.pop()?.value;
  };
}
