import { setTimeout as pause } from 'node:timers/promises';

import type { TestSystem } from '../system/test-system.js';

/** A way to disturb a running job. */
export interface Fault {
  readonly name: string;
  /** True if the fault fills a disk. Such a fault is skipped if this process may not mount disks. */
  readonly needsSmallDisk?: boolean;
  /** Called before the job is posted. */
  prepare?(system: TestSystem): Promise<void> | void;
  /**
   * Injects the fault. The round calls this method after it has posted the job. The promise resolves when the
   * fault is over. Until then, stopped processes must not be started again. For a fault that occurs at a
   * step of the job, this method does nothing.
   * @param moment when to inject the fault, in milliseconds after the start of the job
   * @param sentBytes what agents send to the target server during an undisturbed job
   */
  strike(system: TestSystem, jobId: string, moment: number, sentBytes: number): Promise<void>;
  /**
   * True if stopped processes are not started again before the job has ended, so that the other agent must
   * complete it.
   */
  readonly leavesDown?: boolean;
  /**
   * The correct statuses of the job after the fault. Both are correct if, for example, a cancel request can
   * arrive after the end of the job.
   */
  readonly endings: readonly ('completed' | 'failed')[];
  /** Maximum number of attempts of the job. If absent, any number is correct. */
  readonly maxAttempts?: number;
  /** Further checks after the fault. @returns one sentence for each problem */
  moreProblems?(system: TestSystem, jobId: string): Promise<string[]>;
  /** Measures the cost of the fault, for the report. */
  measure?(system: TestSystem): Promise<string>;
}

/** Returns a `strike` that waits until `moment` and then calls and awaits `act`. */
export function atMoment(act: (system: TestSystem, jobId: string) => unknown): Fault['strike'] {
  return async (system, jobId, moment) => {
    await pause(moment);
    await act(system, jobId);
  };
}
