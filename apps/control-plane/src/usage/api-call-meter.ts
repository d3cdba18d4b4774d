import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { Configuration } from '../config/configuration.js';
import { CallMeter } from '../http/call-meter.js';
import type { Caller } from '../http/caller.js';
import type { Calls } from '../http/operation.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';
import { monthOf } from './billing-cycle.js';
import { CallTally, type TalliedCalls } from './call-tally.js';
import { quotaExceeded } from './quota-exceeded.js';
import { ADD_CALLS, FORGET_WRITERS } from './usage.sql.js';

/**
 * Counts API calls in memory and adds them to Postgres in batches; Redis has no part in it. Each batch is added once: it is
 * sent until its commit is known, and the database knows the number of the last one.
 */
@Injectable()
export class ApiCallMeter extends CallMeter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tally = new CallTally();
  private readonly writer = ulid();
  private readonly task: RepeatingTask;
  private batch: { readonly number: number; readonly calls: readonly TalliedCalls[] } = {
    number: 0,
    calls: [],
  };

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super();
    const logger = new Logger(ApiCallMeter.name);
    this.task = new RepeatingTask(configuration.usage.flushMs, () => this.flush(), logger);
  }

  admit({ organizationId, plan, apiCallsUsed }: Caller, calls: Calls): void {
    if (calls === 'free') return;
    const now = new Date();
    const period = monthOf(now);
    const limit = this.configuration.planLimits[plan].api_calls;
    // A batch on its way is left out: the database may have counted it already.
    const used = apiCallsUsed + this.tally.of(organizationId, period);
    if (calls === 'counted' && used >= limit) throw quotaExceeded(plan, 'api_calls', limit, now);
    this.tally.add(organizationId, period);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.batch.calls.length === 0)
      this.batch = { number: this.batch.number + 1, calls: this.tally.take() };
    const { number, calls } = this.batch;
    if (calls.length === 0) return;
    await this.dataSource.query(ADD_CALLS, [
      this.writer,
      number,
      calls.map(({ organizationId }) => organizationId),
      calls.map(({ period }) => period),
      calls.map(({ used }) => used),
    ]);
    this.batch = { number, calls: [] };
    await this.dataSource.query(FORGET_WRITERS);
  }
}
