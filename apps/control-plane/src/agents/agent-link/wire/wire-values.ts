/** The format of the ids that the control plane issues. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;

/** Converts a 64-bit count. Larger values become `Number.MAX_SAFE_INTEGER`. */
export function count(value: bigint): number {
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}

/**
 * Decodes an SQLSTATE, which agents send as a number of five base-36 digits.
 * @returns undefined for 0, which means no SQLSTATE, and for numbers of more than five digits
 */
export function sqlstateText(code: number): string | undefined {
  return code === 0 || code >= 36 ** 5 ? undefined : code.toString(36).toUpperCase().padStart(5, '0');
}

/** Checks that an unsigned 32-bit counter of a message is positive and fits an `integer` column. */
export function isPositiveInteger(value: number): boolean {
  return value > 0 && value <= MAX_INTEGER;
}

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2 ** 31 - 1;

/** Writes the two or four 64-bit words of a keyed hash as lower-case hex, in order and big-endian. */
export function hexWords(words: {
  readonly word0: bigint;
  readonly word1: bigint;
  readonly word2?: bigint;
  readonly word3?: bigint;
}): string {
  const { word0, word1, word2, word3 } = words;
  return [word0, word1, word2, word3]
    .flatMap((word) => (word === undefined ? [] : [word.toString(16).padStart(16, '0')]))
    .join('');
}

export function bytesOfHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
