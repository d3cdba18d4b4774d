import { setTimeout as pause } from 'node:timers/promises';

import type { TestSystem } from '../system/test-system.js';

/** One way to disturb a running job. */
export interface Fault {
  readonly name: string;
  /** The fault fills a disk, which only a process that may mount one can do. */
  readonly needsSmallDisk?: boolean;
  /** Before the job is posted. */
  prepare?(system: TestSystem): Promise<void> | void;
  /**
   * Called when the job has been posted. Resolves when the disturbance is over and everything that was broken may come up
   * again; what happens by itself (an armed step) needs nothing.
   * @param moment milliseconds after the job's start at which to strike
   */
  strike(system: TestSystem, jobId: string, moment: number): Promise<void>;
  /** Broken parts stay down until the job has ended: somebody else has to finish it. */
  readonly leavesDown?: boolean;
  /** Every ending that is right; a cancel may come too late, a database may be away for longer than its attempts last. */
  readonly endings: readonly ('completed' | 'failed')[];
  /** More attempts than these are wrong; without it any number is right. */
  readonly maxAttempts?: number;
  /** What else is wrong after it, in words. */
  moreProblems?(system: TestSystem, jobId: string): Promise<string[]>;
}

/** Strikes by the clock: calls `act` at the round's moment, and waits if it returns a promise. */
export function atMoment(act: (system: TestSystem, jobId: string) => unknown): Fault['strike'] {
  return async (system, jobId, moment) => {
    await pause(moment);
    await act(system, jobId);
  };
}
