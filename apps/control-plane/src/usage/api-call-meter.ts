import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { CallMeter } from '../http/pipeline/admission.js';
import type { Caller } from '../http/pipeline/caller.js';
import type { Calls } from '../http/operations/operation.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import { monthOf } from './billing-cycle.js';
import type { TalliedCalls } from './call-tally.js';
import { CountedBatches } from './counted-batches.js';
import { quotaExceeded } from './quotas.service.js';
import { ADD_CALLS, FORGET_WRITERS } from './usage.sql.js';

/** Counts API calls in memory and adds them to Postgres in batches; Redis has no part in it. */
@Injectable()
export class ApiCallMeter extends CallMeter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super();
    const logger = new Logger(ApiCallMeter.name);
    this.counts = new CountedBatches((writer, number, calls) => this.write(writer, number, calls));
    this.task = new RepeatingTask(configuration.usage.flushMs, () => this.counts.flush(), logger);
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
    this.task.start();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.counts.flush();
  }

  private async write(writer: string, number: number, calls: readonly TalliedCalls[]): Promise<void> {
    await this.dataSource.query(ADD_CALLS, [
      writer,
      number,
      calls.map(({ subject }) => subject),
      calls.map(({ period }) => period),
      calls.map(({ used }) => used),
    ]);
    await this.dataSource.query(FORGET_WRITERS);
  }
}
