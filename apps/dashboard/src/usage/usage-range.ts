const DAY_MS = 86_400_000;

/** The ranges that the reader can choose, in days. */
export const RANGES = ['7', '30', '90'] as const;
export type Range = (typeof RANGES)[number];

export interface UsageRange {
  /** Absent for 30 days. */
  readonly days?: Range;
}

/** Reads the range from the address. The router reads a figure as a number. */
export function readUsageRange(search: Record<string, unknown>): UsageRange {
  const days = RANGES.find((known) => known === String(search['days']));
  return days === undefined || days === '30' ? {} : { days };
}

/** Returns the first day of a range that ends today, in UTC, as the API counts days. */
export function firstDayOf(days: Range, now = new Date()): string {
  return new Date(now.getTime() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
}
