/** Ids that this side issued. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;

export function count(value: bigint): number {
  return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
}

/** Five base-36 digits, the first the most significant; 0 stands for none. */
export function sqlstateText(code: number): string | undefined {
  return code === 0 || code >= 36 ** 5 ? undefined : code.toString(36).toUpperCase().padStart(5, '0');
}
