import type { CommandDatabase } from './sync-job-command.js';

/** What the end of a failed job asks of an agent, before it becomes protobuf. */
export interface TargetClearance {
  readonly jobId: string;
  /** Above that of every attempt. */
  readonly epoch: number;
  readonly target: CommandDatabase;
}
