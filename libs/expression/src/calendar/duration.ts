import { addMonths, civilFromDays, DAY_MS } from './civil-date.js';

/** A unit of time: a whole number of months (a year has twelve) or of milliseconds. */
export interface Unit {
  readonly months: number;
  readonly ms: number;
}

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['millisecond', { months: 0, ms: 1 }],
  ['second', { months: 0, ms: 1000 }],
  ['minute', { months: 0, ms: 60_000 }],
  ['hour', { months: 0, ms: 3_600_000 }],
  ['day', { months: 0, ms: DAY_MS }],
  ['week', { months: 0, ms: 7 * DAY_MS }],
  ['month', { months: 1, ms: 0 }],
  ['year', { months: 12, ms: 0 }],
]);
const SHORT: ReadonlyMap<string, string> = new Map([
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['sec', 'second'],
  ['m', 'minute'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['mo', 'month'],
  ['y', 'year'],
]);

/** The long name of each unit, for messages. */
export const UNIT_NAMES: readonly string[] = [...UNITS.keys()];

/** Returns the unit of a name like `day`, `days` or `d`, in any case. */
export function unitNamed(name: string): Unit | undefined {
  const lower = name.toLowerCase();
  return (
    UNITS.get(SHORT.get(lower) ?? lower) ?? (lower.endsWith('s') ? UNITS.get(lower.slice(0, -1)) : undefined)
  );
}

/**
 * Adds `amount` units to the instant `ms`. Months and years have their calendar lengths.
 * @returns NaN for a fraction of a month or year, because the length of the fraction is not defined
 */
export function addUnits(ms: number, amount: number, unit: Unit): number {
  if (unit.months === 0) return ms + Math.round(amount * unit.ms);
  return Number.isInteger(amount) ? addMonths(ms, amount * unit.months) : NaN;
}

/** Returns the number of whole units from one instant to another. Negative if `to` is earlier. */
export function unitsBetween(from: number, to: number, unit: Unit): number {
  if (to < from) return -unitsBetween(to, from, unit) || 0;
  if (unit.months === 0) return Math.floor((to - from) / unit.ms);
  const count = Math.floor((monthOf(to) - monthOf(from)) / unit.months);
  // The last unit counts only if it ends at or before `to`.
  return addMonths(from, count * unit.months) <= to ? count : count - 1;
}

/** Returns the number of months from the start of the year 0 to the month of an instant. */
function monthOf(ms: number): number {
  const { year, month } = civilFromDays(Math.floor(ms / DAY_MS));
  return year * 12 + month;
}
