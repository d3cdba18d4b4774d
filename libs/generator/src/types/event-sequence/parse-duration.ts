const DURATION = /^\s*(\d{1,15}(?:\.\d{1,9})?)\s*([smhdw]?)\s*$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds of `"90"`, `"1.5h"`, `"3d"` or a number of seconds, to the nearest whole one.
 * @returns undefined for anything else, and for what is below 0: events do not go back in time
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? Math.round(value * 1000) : undefined;
  const [, amount, unit = ''] = (typeof value === 'string' && DURATION.exec(value)) || [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNIT_MS[unit] ?? NaN));
}
