import { GenerationError } from '@understudy/generator';

/** The definition of a mock endpoint's responses as the caller sent it. Plain data. */
export interface MockDefinition {
  readonly schema: unknown;
  /** JSON whose string leaves are templates, which can use `records`, `count` and `params`. */
  readonly wrapper: unknown;
}

/** The values of one call. Together with the definition and the reference instant, they determine the response. */
export interface MockCall {
  readonly seed: number;
  readonly count: number;
  /** The path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** The largest size of a response. A response is held in memory until it has been sent. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/**
 * Checks that a value is not too large when it is written as JSON. A value that contains the same object many
 * times can be small in memory and long as JSON. Computes a lower bound of the length, and stops as soon as
 * the bound exceeds {@link MAX_RESPONSE_BYTES}.
 * @throws GenerationError `limit_exceeded` if the lower bound exceeds the limit
 */
export function assertWritable(value: unknown, path: string): void {
  if (remaining(value, MAX_RESPONSE_BYTES) < 0) throw tooLarge(path);
}

export function tooLarge(path: string): GenerationError {
  const message = `a response has at most ${MAX_RESPONSE_BYTES / 2 ** 20} MiB; request fewer or smaller records`;
  return new GenerationError(path, message, 'limit_exceeded');
}

/** Subtracts a lower bound of the value's length from `bytes`. @returns a negative number if the value is too long */
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
