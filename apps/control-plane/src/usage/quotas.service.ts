import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { METRICS, type Metric, type Plan } from '../config/plans.js';
import type { Caller } from '../http/pipeline/caller.js';
import { periodOf, type StandingMetric, billingCycleEnd } from './billing-cycle.js';
import { GIVE_BACK, READ_USAGE, TAKE_ONE } from './usage.sql.js';
import { ApiError } from '../http/errors/api-error.js';

export type Usage = Readonly<Record<Metric, { readonly used: number; readonly limit: number }>>;

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

/** How much of its plan an organisation has used, exactly: counted in the transaction that makes what is counted. */
@Injectable()
export class QuotasService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Counts one more inside the caller's transaction. Parallel takers of one organisation wait for each other's commit.
   * @throws ApiError `quota_exceeded`
   */
  async take(
    manager: EntityManager,
    { organizationId, plan }: Pick<Caller, 'organizationId' | 'plan'>,
    metric: Metric,
    now: Date,
  ): Promise<void> {
    const limit = this.configuration.planLimits[plan][metric];
    const period = periodOf(metric, now);
    const taken = await manager.query<unknown[]>(TAKE_ONE, [organizationId, metric, period, limit]);
    if (taken.length === 0) throw quotaExceeded(plan, metric, limit, now);
  }

  /** Counts one less of what exists, in the transaction that deletes it. */
  async giveBack(manager: EntityManager, organizationId: string, metric: StandingMetric): Promise<void> {
    await manager.query(GIVE_BACK, [organizationId, metric]);
  }

  async usage(organizationId: string, plan: Plan, now: Date): Promise<Usage> {
    const rows = await this.dataSource.query<{ metric: Metric; used: number }[]>(READ_USAGE, [
      organizationId,
      METRICS,
      METRICS.map((metric) => periodOf(metric, now)),
    ]);
    const limits = this.configuration.planLimits[plan];
    const entries = METRICS.map((metric) => {
      const used = rows.find((row) => row.metric === metric)?.used ?? 0;
      return [metric, { used, limit: limits[metric] }] as const;
    });
    return Object.fromEntries(entries) as Record<Metric, { used: number; limit: number }>;
  }
}
