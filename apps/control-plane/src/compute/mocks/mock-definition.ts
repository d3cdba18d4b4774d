import { GenerationError } from '@understudy/generator';

/** What a mock endpoint answers with, as it was sent. Plain data. */
export interface MockDefinition {
  readonly schema: unknown;
  /** JSON whose string leaves are templates of `records`, `count` and `params`. */
  readonly wrapper: unknown;
}

/** What one answer is a function of, besides the definition and the reference instant. */
export interface MockCall {
  readonly seed: number;
  readonly count: number;
  /** Of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Larger answers are not made: they are held in memory until they have been sent. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

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
