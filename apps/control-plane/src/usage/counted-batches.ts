import { Logger } from '@nestjs/common';
import { ulid } from 'ulid';

import { RepeatingTask } from '../job-queue/repeating-task.js';
import { CallTally, type TalliedCalls } from './call-tally.js';

/** The parameters of a statement that adds counts. The writer and the number name the batch: it is added only once. */
export type Batch = [writer: string, number: number, subjects: string[], periods: string[], counts: number[]];

/**
 * Counts in memory and hands the counts over in batches, from `start` to `stop`. Each is written once: it is sent until its
 * commit is known, and the database knows the number of the last one of each writer (`usage_writers`).
 */
export class CountedBatches {
  private readonly tally = new CallTally();
  private readonly writer = ulid();
  private batch: { readonly number: number; readonly calls: readonly TalliedCalls[] } = {
    number: 0,
    calls: [],
  };
  private readonly task: RepeatingTask;

  /** @param name of the logger that reports batches which could not be written */
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

  /** Writes what was counted until now. @throws what `write` does */
  async stop(): Promise<void> {
    await this.task.stop();
    await this.flush();
  }

  add(subject: string, period: string): void {
    this.tally.add(subject, period);
  }

  /** What was counted and is not on its way yet. */
  of(subject: string, period: string): number {
    return this.tally.of(subject, period);
  }

  /** Not for two callers at once. @throws what `write` does; the batch is then the next one again */
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
