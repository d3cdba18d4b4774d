import type { Quota } from '../../platform/config/plans.js';

/**
 * The period of a count: a UTC month (`2026-01`) or day (`2026-01-31`), or `standing` for the number of existing
 * resources.
 */
export type Period = string;

/** The quotas that count existing resources. */
export type StandingQuota = Extract<Quota, 'endpoints' | 'snapshots'>;

export function periodOf(quota: Quota, now: Date): Period {
  return quota === 'endpoints' || quota === 'snapshots' ? 'standing' : monthOf(now);
}

export function monthOf(now: Date): Period {
  return dayOf(now).slice(0, 7);
}

export const DAY_MS = 86_400_000;
/** Caches the text of the latest day, because formatting a date costs more than counting a call. */
let written = { day: Number.NaN, text: '' };

/** Returns the UTC day in the form `2026-01-31`. */
export function dayOf(now: Date): Period {
  const day = Math.floor(now.getTime() / DAY_MS);
  if (day !== written.day) written = { day, text: now.toISOString().slice(0, 10) };
  return written.text;
}

/** Returns the first instant of the next UTC month, at which monthly counts restart. */
export function billingCycleEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
