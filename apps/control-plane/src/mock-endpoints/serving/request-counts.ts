import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Configuration } from '../../config/configuration.js';
import { RepeatingTask } from '../../job-queue/repeating-task.js';
import type { TalliedCalls } from '../../usage/call-tally.js';
import { CountedBatches } from '../../usage/counted-batches.js';
import { ADD_REQUESTS, FORGET_REQUESTS } from '../mock-endpoints.sql.js';

/** Counts the calls of mock endpoints by day of UTC, and adds them to Postgres in batches. */
@Injectable()
export class RequestCounts implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly counts: CountedBatches;
  private readonly task: RepeatingTask;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    { mockEndpoints }: Configuration,
  ) {
    const logger = new Logger(RequestCounts.name);
    this.counts = new CountedBatches((writer, number, calls) => this.write(writer, number, calls));
    this.task = new RepeatingTask(mockEndpoints.flushMs, () => this.counts.flush(), logger);
  }

  add(endpointId: string, now: Date): void {
    this.counts.add(endpointId, dayOf(now));
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
    await this.dataSource.query(ADD_REQUESTS, [
      writer,
      number,
      calls.map(({ subject }) => subject),
      calls.map(({ period }) => period),
      calls.map(({ used }) => used),
    ]);
    await this.dataSource.query(FORGET_REQUESTS, [dayOf(new Date())]);
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
