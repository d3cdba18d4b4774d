import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Configuration } from '../../config/configuration.js';
import { CountedBatches } from '../../usage/counted-batches.js';
import { ADD_REQUESTS, FORGET_REQUESTS } from '../mock-endpoints.sql.js';

/** Counts the calls of mock endpoints by day of UTC, and adds them to Postgres in batches. */
@Injectable()
export class RequestCounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;

  constructor(@InjectDataSource() dataSource: DataSource, { mockEndpoints }: Configuration) {
    this.counts = new CountedBatches(RequestCounts.name, mockEndpoints.flushMs, async (batch) => {
      await dataSource.query(ADD_REQUESTS, batch);
      await dataSource.query(FORGET_REQUESTS, [dayOf(new Date())]);
    });
  }

  add(endpointId: string, now: Date): void {
    this.counts.add(endpointId, dayOf(now));
  }

  onApplicationBootstrap(): void {
    this.counts.start();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.counts.stop();
  }
}

const DAY_MS = 86_400_000;
/** The last day that was asked for: writing a date costs more than counting a call. */
let written = { day: Number.NaN, text: '' };

/** A day of UTC: `2026-01-31`. */
export function dayOf(now: Date): string {
  const day = Math.floor(now.getTime() / DAY_MS);
  if (day !== written.day) written = { day, text: now.toISOString().slice(0, 10) };
  return written.text;
}
