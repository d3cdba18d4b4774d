import type { Quota } from '../config/plans.js';

/** The period that a use counts in: a month of UTC (`2026-01`), or `standing` for what exists now. */
export type Period = string;

/** Of what counts as long as it exists. */
export type StandingQuota = Extract<Quota, 'endpoints' | 'snapshots'>;

export function periodOf(quota: Quota, now: Date): Period {
  return quota === 'endpoints' || quota === 'snapshots' ? 'standing' : monthOf(now);
}

export function monthOf(now: Date): Period {
  return now.toISOString().slice(0, 7);
}

/** The first instant of the next month of UTC: what counts by month begins anew. */
export function billingCycleEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
