import { EvaluationError } from '../errors.js';
import { LIMITS, spend } from '../limits.js';
import { hasMembers } from './exact-decimal.js';

/**
 * Returns the array itself if it is within the limits. Counts all values inside nested arrays and objects. An
 * object that occurs twice is counted twice, because the array's JSON contains both copies.
 * @throws EvaluationError if the array exceeds `arrayValues` or `valueDepth`
 */
export function withinArrayLimits(array: unknown[]): unknown[] {
  if (array.some(hasMembers)) {
    spend(countValues(array, 1, LIMITS.arrayValues));
  } else if (array.length > LIMITS.arrayValues) {
    throw tooManyValues();
  }
  return array;
}

export function tooManyValues(): EvaluationError {
  return new EvaluationError(`an array would contain more than ${LIMITS.arrayValues} values`, true);
}

export function tooDeep(): EvaluationError {
  return new EvaluationError(`a value would be nested more than ${LIMITS.valueDepth} levels deep`, true);
}

function countValues(value: object, depth: number, room: number): number {
  if (depth > LIMITS.valueDepth) throw tooDeep();
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const length = keys?.length ?? (value as unknown[]).length;
  let count = length;
  for (let i = 0; i < length && count <= room; i += 1) {
    const item = keys ? ownValue(value, keys[i] ?? '') : (value as unknown[])[i];
    if (hasMembers(item)) count += countValues(item, depth + 1, room - count);
  }
  if (count > room) throw tooManyValues();
  return count;
}

/**
 * Returns the value of an object's own data property, or undefined. Never runs getters or reads prototypes.
 */
export function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}
