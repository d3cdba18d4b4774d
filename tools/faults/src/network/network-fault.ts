import type { NetworkSystem } from './network-system.js';

/** A disturbance of the link during a job. */
export interface NetworkFault {
  readonly name: string;
  /**
   * When the disturbance begins: while rows are copied, or when the transaction of the switch has begun. At
   * the switch, the agent waits until the disturbance has begun.
   */
  readonly moment: 'copy' | 'switch';
  /** Time for which the disturbance lasts, in seconds. The copy is slowed down to last longer. */
  readonly seconds: number;
  /** Runs the agents of this row through an HTTP proxy that closes idle tunnels. */
  readonly proxyIdleSeconds?: number;
  /**
   * Disturbs the link, and resolves when the link is restored.
   * @param times factor of all durations
   */
  disturb(system: NetworkSystem, jobId: string, times: number): Promise<void>;
  /** Called before the job is posted. */
  prepare?(system: NetworkSystem): Promise<void>;
  /** Called after the job has ended and was checked. */
  cleanUp?(system: NetworkSystem): Promise<void>;
  readonly expected: Expectation;
}

/** Correct outcomes of a job. */
export type Expectation =
  /** The job completes and keeps its rows, and the agent goes on soon after the link returns. */
  | 'completes'
  /** The job completes and keeps its rows, and another agent takes it over during the disturbance. */
  | 'completes elsewhere'
  /** The job ends as cancelled and the target is unchanged. It may also complete if it had switched before. */
  | 'cancelled'
  /** The agent stops the job, and leaves the target unchanged. */
  | 'stopped';
