import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { CallMeter } from '../http/pipeline/admission.js';
import type { Caller } from '../http/pipeline/caller.js';
import type { Calls } from '../http/operations/operation.js';
import { monthOf } from './billing-cycle.js';
import { CountedBatches } from './counted-batches.js';
import { quotaExceeded } from './quotas.service.js';
import { ADD_CALLS, FORGET_WRITERS } from './usage.sql.js';

/** Counts API calls in memory and adds them to Postgres in batches; Redis has no part in it. */
@Injectable()
export class ApiCallMeter extends CallMeter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;

  constructor(
    @InjectDataSource() dataSource: DataSource,
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
    // A batch on its way is left out: the database may have counted it already.
    const used = apiCallsUsed + this.counts.of(organizationId, period);
    if (calls === 'counted' && used >= limit) throw quotaExceeded(plan, 'api_calls', limit, now);
    this.counts.add(organizationId, period);
  }

  onApplicationBootstrap(): void {
    this.counts.start();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.counts.stop();
  }
}
