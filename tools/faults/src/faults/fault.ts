import { setTimeout as pause } from 'node:timers/promises';

import type { TestSystem } from '../system/test-system.js';

/** A way to disturb a running job. */
export interface Fault {
  readonly name: string;
  /** True if the fault fills a disk, which is possible only if the process may mount one. */
  readonly needsSmallDisk?: boolean;
  /** Called before the job is posted. */
  prepare?(system: TestSystem): Promise<void> | void;
  /**
   * Injects the fault; called when the job has been posted. Resolves when the disturbance is over and the
   * stopped parts may be started again. Does nothing for a fault that occurs at a step of the job.
   * @param moment when to inject the fault, in milliseconds after the start of the job
   */
  strike(system: TestSystem, jobId: string, moment: number): Promise<void>;
  /** True if stopped parts stay down until the job has ended, so that the other agent must complete it. */
  readonly leavesDown?: boolean;
  /**
   * The statuses of the job that are correct after the fault. Both are possible if, for example, a cancel
   * request may arrive too late.
   */
  readonly endings: readonly ('completed' | 'failed')[];
  /** Maximum number of attempts of the job. If absent, any number is correct. */
  readonly maxAttempts?: number;
  /** Further checks after the fault. @returns one sentence for each problem */
  moreProblems?(system: TestSystem, jobId: string): Promise<string[]>;
}

/** Returns a `strike` that waits until `moment` and then calls and awaits `act`. */
export function atMoment(act: (system: TestSystem, jobId: string) => unknown): Fault['strike'] {
  return async (system, jobId, moment) => {
    await pause(moment);
    await act(system, jobId);
  };
}
