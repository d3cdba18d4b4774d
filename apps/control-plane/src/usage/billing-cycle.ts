import type { Quota } from '../config/plans.js';

/** The period of a count: a UTC month (`2026-01`), or `standing` for the number of existing resources. */
export type Period = string;

/** The quotas that count existing resources. */
export type StandingQuota = Extract<Quota, 'endpoints' | 'snapshots'>;

export function periodOf(quota: Quota, now: Date): Period {
  return quota === 'endpoints' || quota === 'snapshots' ? 'standing' : monthOf(now);
}

export function monthOf(now: Date): Period {
  return now.toISOString().slice(0, 7);
}

/** Returns the first instant of the next UTC month, at which monthly counts restart. */
export function billingCycleEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
