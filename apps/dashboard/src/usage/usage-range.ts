import { oneOf, searchReader } from '../api/search.js';

const DAY_MS = 86_400_000;

/** The ranges that the reader can choose, in days. */
export const RANGES = ['7', '30', '90'] as const;
/** The number of days as the address holds it. */
export type Range = (typeof RANGES)[number];

/** Reads the range from the address. */
export const readUsageRange = searchReader({
  /** Absent for 30 days. The router reads a figure as a number. */
  days: (value) => oneOf(RANGES, '30')(String(value)),
});

/**
 * Returns the first day of a range that ends today, in UTC, as the API counts days.
 * @param now the present time
 */
export function firstDayOf(days: Range, now = new Date()): string {
  return new Date(now.getTime() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
}
