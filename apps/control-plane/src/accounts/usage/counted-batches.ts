import { Logger } from '@nestjs/common';
import { ulid } from 'ulid';

import { RepeatingTask } from '../../platform/job-queue/repeating-task.js';
import { CallTally, type TalliedCalls } from './call-tally.js';

/**
 * The parameters of a statement that adds counts. Writer and number identify the batch, so that it is added
 * only once.
 */
export type Batch = [writer: string, number: number, subjects: string[], periods: string[], counts: number[]];

/**
 * Counts in memory and writes the counts in batches, from `start` to `stop`. A batch is sent repeatedly until
 * its commit is confirmed. The database stores the number of each writer's last batch (`usage_writers`), so
 * that no batch counts twice.
 */
export class CountedBatches {
  private readonly tally = new CallTally();
  private readonly writer = ulid();
  private batch: { readonly number: number; readonly calls: readonly TalliedCalls[] } = {
    number: 0,
    calls: [],
  };
  private readonly task: RepeatingTask;

  /** @param name the logger that reports failed writes */
  constructor(
    name: string,
    everyMs: number,
    private readonly write: (batch: Batch) => Promise<void>,
  ) {
    this.task = new RepeatingTask(everyMs, () => this.flush(), new Logger(name));
  }

  start(): void {
    this.task.start();
  }

  /**
   * Stops, and writes the remaining counts.
   * @throws anything that `write` throws
   */
  async stop(): Promise<void> {
    await this.task.stop();
    await this.flush();
  }

  add(subject: string, period: string): void {
    this.tally.add(subject, period);
  }

  /** Returns the count that is not yet part of a batch. */
  of(subject: string, period: string): number {
    return this.tally.of(subject, period);
  }

  /**
   * Writes a batch. Calls must not overlap.
   * @throws anything that `write` throws; the batch is then sent again by the next call
   */
  private async flush(): Promise<void> {
    if (this.batch.calls.length === 0)
      this.batch = { number: this.batch.number + 1, calls: this.tally.take() };
    const { number, calls } = this.batch;
    if (calls.length === 0) return;
    await this.write([
      this.writer,
      number,
      calls.map(({ subject }) => subject),
      calls.map(({ period }) => period),
      calls.map(({ used }) => used),
    ]);
    this.batch = { number, calls: [] };
  }
}
