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
