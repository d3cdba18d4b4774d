import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../../platform/config/configuration.js';
import { QUOTAS, type Quota, type Plan } from '../../platform/config/plans.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { dayOf, periodOf, type StandingQuota, billingCycleEnd } from './billing-cycle.js';
import { RELEASE_ONE, READ_USAGE, TAKE_ONE } from './usage.sql.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

type Usage = Readonly<Record<Quota, { readonly used: number; readonly limit: number }>>;

const QUOTA_NAMES: Readonly<Record<Quota, string>> = {
  sync_jobs: 'sync jobs',
  endpoints: 'mock endpoints',
  snapshots: 'snapshots',
  api_calls: 'API calls',
};

export function quotaExceeded(plan: Plan, quota: Quota, limit: number, now: Date): ApiError {
  const included = `The plan "${plan}" includes ${limit} ${QUOTA_NAMES[quota]}`;
  const message =
    periodOf(quota, now) === 'standing'
      ? `${included}, and all of them exist. Delete one, or change the plan.`
      : `${included} a month, and all of them are used. The next month starts at ${billingCycleEnd(now).toISOString()}.`;
  return new ApiError('quota_exceeded', message);
}

/**
 * Counts the usage of plans. The counts are exact, because they are written in the transaction that creates
 * the counted resource.
 */
@Injectable()
export class QuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Adds one to the usage inside the caller's transaction. Concurrent calls for one organisation wait for
   * each other's commit.
   * @throws ApiError `quota_exceeded`
   */
  async take(
    manager: EntityManager,
    { organizationId, plan }: Pick<Caller, 'organizationId' | 'plan'>,
    quota: Quota,
    now: Date,
  ): Promise<void> {
    const limit = this.configuration.planLimits[plan][quota];
    const period = periodOf(quota, now);
    const day = quota === 'sync_jobs' ? dayOf(now) : null;
    const taken = await manager.query<unknown[]>(TAKE_ONE, [organizationId, quota, period, limit, day]);
    if (taken.length === 0) throw quotaExceeded(plan, quota, limit, now);
  }

  /** Subtracts one from the usage, in the transaction that deletes the resource. */
  async release(manager: EntityManager, organizationId: string, quota: StandingQuota): Promise<void> {
    await manager.query(RELEASE_ONE, [organizationId, quota]);
  }

  async usage(organizationId: string, plan: Plan, now: Date): Promise<Usage> {
    const rows = await this.dataSource.query<{ metric: Quota; used: number }[]>(READ_USAGE, [
      organizationId,
      QUOTAS,
      QUOTAS.map((quota) => periodOf(quota, now)),
    ]);
    const limits = this.configuration.planLimits[plan];
    const entries = QUOTAS.map((quota) => {
      const used = rows.find((row) => row.metric === quota)?.used ?? 0;
      return [quota, { used, limit: limits[quota] }] as const;
    });
    return Object.fromEntries(entries) as Record<Quota, { used: number; limit: number }>;
  }
}
