import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../platform/config/configuration.js';
import { CallMeter } from '../../platform/http/pipeline/admission.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import type { Calls } from '../../platform/http/operations/operation.js';
import { dayOf, monthOf } from './billing-cycle.js';
import { CountedBatches } from './counted-batches.js';
import { quotaExceeded } from './quotas.service.js';
import { ADD_CALLS, FORGET_WRITERS } from './usage.sql.js';

/** Counts API calls in memory, and adds the counts to PostgreSQL in batches. Redis is not involved. */
@Injectable()
export class ApiCallMeter extends CallMeter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;

  constructor(
    dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super();
    this.counts = new CountedBatches(ApiCallMeter.name, configuration.usage.flushMs, async (batch) => {
      await dataSource.query(ADD_CALLS, batch);
      await dataSource.query(FORGET_WRITERS);
    });
  }

  admit({ organizationId, plan, apiCallsUsed }: Caller, calls: Calls): void {
    if (calls === 'free') return;
    const now = new Date();
    const period = monthOf(now);
    const limit = this.configuration.planLimits[plan].api_calls;
    // Omits the batch that is being written, because `apiCallsUsed` may already contain it.
    const used = apiCallsUsed + this.counts.of(organizationId, period);
    if (calls === 'counted' && used >= limit) throw quotaExceeded(plan, 'api_calls', limit, now);
    this.counts.add(organizationId, period);
    this.counts.add(organizationId, dayOf(now));
  }

  onApplicationBootstrap(): void {
    this.counts.start();
  }

  /** Writes the last counts after the server has served its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.counts.stop();
  }
}
