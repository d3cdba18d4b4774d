import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../../platform/config/configuration.js';
import { dayOf } from '../../../accounts/usage/billing-cycle.js';
import { CountedBatches } from '../../../accounts/usage/counted-batches.js';
import { ADD_REQUESTS, FORGET_REQUESTS } from '../mock-endpoints.sql.js';

/** The number of old counts that each written batch deletes. */
const FORGET_BATCH = 1_000;

/** Counts the calls of mock endpoints for each UTC day, and adds the counts to PostgreSQL in batches. */
@Injectable()
export class RequestCounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;

  constructor(dataSource: DataSource, { mockEndpoints }: Configuration) {
    this.counts = new CountedBatches(RequestCounts.name, mockEndpoints.flushMs, async (batch) => {
      await dataSource.query(ADD_REQUESTS, batch);
      await dataSource.query(FORGET_REQUESTS, [dayOf(new Date()), FORGET_BATCH]);
    });
  }

  add(endpointId: string, now: Date): void {
    this.counts.add(endpointId, dayOf(now));
  }

  onApplicationBootstrap(): void {
    this.counts.start();
  }

  /** Writes the last counts after the server has served its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.counts.stop();
  }
}
