import { GenerationError } from '@understudy/generator';

import { MAX_ANSWER_BYTES } from './mock-definition.js';

/**
 * Parts of a value may be shared: what takes little room in memory may be long once it is written. A lower bound of that
 * length is compared; costs no more than the bound.
 * @throws GenerationError `limit_exceeded`
 */
export function assertWritable(value: unknown, path: string): void {
  if (remaining(value, MAX_ANSWER_BYTES) < 0) throw tooLarge(path);
}

export function tooLarge(path: string): GenerationError {
  const message = `an answer has at most ${MAX_ANSWER_BYTES / 2 ** 20} MiB: ask for fewer or smaller records`;
  return new GenerationError(path, message, 'limit_exceeded');
}

/** @returns what is left of `bytes` after the value; less than nothing when it is too long */
function remaining(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length;
  if (typeof value !== 'object' || value === null) return bytes - 1;
  let left = bytes - 2;
  for (const [key, member] of Object.entries(value)) {
    if (left < 0) return left;
    left = remaining(member, Array.isArray(value) ? left - 1 : left - key.length);
  }
  return left;
}
