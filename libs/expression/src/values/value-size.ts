import { EvaluationError } from '../errors.js';
import { LIMITS, spend } from '../limits.js';

/**
 * The array itself. Elements that are arrays count with all they hold, once for each place they stand in: that is what
 * they cost whoever writes them, though shared in memory.
 * @throws EvaluationError past the limits of values and of depth
 */
export function withinArrayLimits(array: unknown[]): unknown[] {
  if (array.some((item) => typeof item === 'object' && item !== null)) {
    spend(countValues(array, 1, LIMITS.arrayValues));
  } else if (array.length > LIMITS.arrayValues) {
    throw tooManyValues();
  }
  return array;
}

export function tooManyValues(): EvaluationError {
  return new EvaluationError(`an array would hold more than ${LIMITS.arrayValues} values`, true);
}

export function tooDeep(): EvaluationError {
  return new EvaluationError(`a value would nest deeper than ${LIMITS.valueDepth} levels`, true);
}

function countValues(value: object, depth: number, room: number): number {
  if (depth > LIMITS.valueDepth) throw tooDeep();
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const length = keys?.length ?? (value as unknown[]).length;
  let count = length;
  for (let i = 0; i < length && count <= room; i += 1) {
    const item = keys ? ownValue(value, keys[i] ?? '') : (value as unknown[])[i];
    if (typeof item === 'object' && item !== null) count += countValues(item, depth + 1, room - count);
  }
  if (count > room) throw tooManyValues();
  return count;
}

/** The value of an object's own data property; undefined where it has none. Getters are not run, prototypes not asked. */
export function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
