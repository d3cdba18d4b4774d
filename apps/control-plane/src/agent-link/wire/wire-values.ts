/** Ids that this side issued. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;

export function count(value: bigint): number {
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}

/** Five base-36 digits, the first the most significant; 0 stands for none. */
export function sqlstateText(code: number): string | undefined {
  return code === 0 || code >= 36 ** 5 ? undefined : code.toString(36).toUpperCase().padStart(5, '0');
}

/** Counters that go into `integer` columns, on the wire 32 bits without a sign. */
export function isPositiveInteger(value: number): boolean {
  return value > 0 && value <= MAX_INTEGER;
}

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2 ** 31 - 1;

/** Words of a keyed hash as lower-case hex: in order, each big-endian. */
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

/** The same as bytes, for commands. */
export function bytesOfHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
