import type { Metric, Plan } from '../config/plans.js';
import { ApiError } from '../http/errors/api-error.js';
import { billingCycleEnd, periodOf } from './billing-cycle.js';

const WHAT: Readonly<Record<Metric, string>> = {
  sync_jobs: 'sync jobs',
  endpoints: 'mock endpoints',
  snapshots: 'snapshots',
  api_calls: 'API calls',
};

export function quotaExceeded(plan: Plan, metric: Metric, limit: number, now: Date): ApiError {
  const included = `The plan "${plan}" includes ${limit} ${WHAT[metric]}`;
  const message =
    periodOf(metric, now) === 'standing'
      ? `${included} at a time, and as many exist. Delete one, or change the plan.`
      : `${included} a month, and they are used. The next month begins at ${billingCycleEnd(now).toISOString()}.`;
  return new ApiError('quota_exceeded', message);
}
