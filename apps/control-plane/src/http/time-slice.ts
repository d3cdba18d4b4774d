import { setImmediate as nextTurn } from 'node:timers/promises';

import { ApiError } from './api-error.js';

const SLICE_MS = 15;

/** Lets other requests have their turn during long work, and ends the work when its time is over. */
export class TimeSlice {
  private readonly startedAt = performance.now();
  private turnAt = this.startedAt;

  constructor(
    private readonly budgetMs: number,
    private readonly isWanted: () => boolean = () => true,
  ) {}

  /** Cheap to call often. @throws ApiError `limit_exceeded` after the budget, `bad_request` when nobody waits any more */
  async pause(): Promise<void> {
    const now = performance.now();
    if (now - this.turnAt < SLICE_MS) return;
    if (now - this.startedAt > this.budgetMs) {
      throw new ApiError(
        'limit_exceeded',
        `This takes longer than ${this.budgetMs / 1000} s. Ask for less at a time.`,
      );
    }
    await nextTurn();
    if (!this.isWanted()) throw new ApiError('bad_request', 'The client has gone.');
    this.turnAt = performance.now();
  }
}
