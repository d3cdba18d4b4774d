/** Every integer that a JSON number holds exactly; 0 and above are what `drawSeed` gives. */
export const SEED_EXPECTED = `an integer from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

export function isSeed(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The seed that a text writes in decimal, as in a query or an option. @returns undefined for any other text */
export function parseSeed(text: string): number | undefined {
  const value = /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN;
  return isSeed(value) ? value : undefined;
}
