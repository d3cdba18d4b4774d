import { ulid } from 'ulid';

import { CallTally, type TalliedCalls } from './call-tally.js';

/** @param writer with `number` names the batch: who has written it does not write it again */
export type WriteBatch = (writer: string, number: number, calls: readonly TalliedCalls[]) => Promise<void>;

/**
 * Counts in memory and hands the counts over in batches. Each is written once: it is sent until its commit is known, and
 * the database knows the number of the last one of each writer (`usage_writers`).
 */
export class CountedBatches {
  private readonly tally = new CallTally();
  private readonly writer = ulid();
  private batch: { readonly number: number; readonly calls: readonly TalliedCalls[] } = {
    number: 0,
    calls: [],
  };

  constructor(private readonly write: WriteBatch) {}

  add(subject: string, period: string): void {
    this.tally.add(subject, period);
  }

  /** What was counted and is not on its way yet. */
  of(subject: string, period: string): number {
    return this.tally.of(subject, period);
  }

  /** Not for two callers at once. @throws what `write` does; the batch is then the next one again */
  async flush(): Promise<void> {
    if (this.batch.calls.length === 0)
      this.batch = { number: this.batch.number + 1, calls: this.tally.take() };
    const { number, calls } = this.batch;
    if (calls.length === 0) return;
    await this.write(this.writer, number, calls);
    this.batch = { number, calls: [] };
  }
}
