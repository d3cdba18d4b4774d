import { EvaluationError } from '@understudy/expression';
import { BUDGETS } from '../definition/budgets.js';
import { GenerationError } from '../definition/errors.js';
import { DistinctValues } from '../values/distinct-values.js';
import type { Row } from '../values/row.js';
import type { NumberedValues } from '../values/variety.js';

/** The values that must differ from each other. */
export interface Distinct {
  /** The values that were produced. */
  readonly seen: DistinctValues;
  readonly path: string;
  /** True if a transform may give one value for different ones. */
  readonly isTransformed: boolean;
}

/** The order in which numbered values are tried. */
export interface TryOrder {
  /** A permutation of the numbers from 0 to `count` - 1. Called with ascending numbers. */
  readonly of: (number: number) => number;
  /** If there are not more values, all of them are tried before `unique` fails. */
  readonly completeUpTo: number;
}

/**
 * Returns a function that produces each value once. Needs no memory per value, unless a transform is applied. If the
 * transform gives null for any value, the function returns null after the last value.
 * @throws GenerationError (the returned function) if no value is left, or if a transform gave only repetitions
 */
export function distinctInOrder(
  { count, at }: NumberedValues,
  order: TryOrder,
  { seen, path, isTransformed }: Distinct,
): () => unknown {
  const tries = count <= order.completeUpTo ? count : BUDGETS.uniqueRetries + 1;
  let next = 0;
  let hasNull = false;
  return () => {
    for (let tried = 0; next < count && tried < tries; tried += 1) {
      const value = at(order.of(next));
      next += 1;
      hasNull ||= value === null;
      if (value === null || !isTransformed || isNew(value, seen, path)) return value;
    }
    if (hasNull && next >= count) return null;
    if (!isTransformed || seen.size === count)
      throw new GenerationError(
        path,
        `unique has used all ${count} values; request fewer, or widen the range`,
      );
    throw new GenerationError(
      path,
      `unique tried ${next} of ${count} values, and the transform gave only ${seen.size} different values; ` +
        'let the transform keep more of the value, or request fewer',
    );
  };
}

/**
 * Draws values until one is not in `seen`, and adds that value to `seen`. Null is never a repetition.
 * @throws GenerationError after the last retry, or if `seen` is full
 */
export function drawDistinct(
  cell: (row: Row) => unknown,
  row: Row,
  { seen, path, isTransformed }: Distinct,
): unknown {
  const outer = row.attempt;
  let repeated: DistinctValues | undefined;
  try {
    for (let retry = 0; retry <= BUDGETS.uniqueRetries; retry += 1) {
      row.attempt = (Math.imul(outer, BUDGETS.uniqueRetries + 1) + retry) | 0;
      const value = cell(row);
      if (value === null || isNew(value, seen, path)) return value;
      (repeated ??= new DistinctValues()).add(value);
    }
  } finally {
    row.attempt = outer;
  }
  throw new GenerationError(
    path,
    `unique found no new value in ${BUDGETS.uniqueRetries} attempts after ${seen.size} different values: ` +
      `the attempts gave ${repeated?.size === 1 ? 'the same value each time' : `${repeated?.size} different ones`}; ` +
      `let ${isTransformed ? 'the transform keep more of the value, or let ' : ''}the generator produce more ` +
      'values, or request fewer',
  );
}

/**
 * Adds a value to `seen`. Returns false if it was there.
 * @throws GenerationError if `seen` is full, or if the value is too large to be compared
 */
function isNew(value: unknown, seen: DistinctValues, path: string): boolean {
  if (seen.size >= BUDGETS.uniqueValues) {
    throw new GenerationError(
      path,
      `unique remembers at most ${BUDGETS.uniqueValues} different values; use a uuid or a sequence, ` +
        'which need no memory',
      'limit_exceeded',
    );
  }
  try {
    return seen.add(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new GenerationError(path, `unique cannot compare a value: ${error.message}`, 'limit_exceeded');
  }
}
