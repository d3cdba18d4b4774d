import { channel } from 'node:diagnostics_channel';
import type { EngineLog } from '@understudy/postgres';

/**
 * A point in an attempt, in the order in which it is reached. The two chunk steps are reached for each chunk. A revert and
 * the drop of a kept database reach the last three steps.
 */
export type SyncStep =
  /** No other job works on the target, and older attempts of this job can no longer commit. */
  | 'target_locked'
  /** The snapshot keeper holds the snapshot. The attempt may have read from the snapshot before this step. */
  | 'snapshot_held'
  | 'planned'
  | 'models_trained'
  | 'staging_created'
  /** A chunk's rows are sent but not committed. */
  | 'chunk_copied'
  | 'chunk_committed'
  | 'all_chunks_committed'
  | 'indexes_built'
  | 'switch_begun'
  /** The transaction of the switch is complete but not committed, or the databases are about to be swapped or dropped. */
  | 'before_commit'
  | 'committed'
  /** The result is in the journal. */
  | 'reported';

/** Called at each step. The attempt waits for the returned promise. */
export type ReachStep = (step: SyncStep) => Promise<void> | void;

const steps = channel('understudy.sync.step');

/**
 * Returns a function that writes each step to the debug log, and to the diagnostics channel
 * `understudy.sync.step`.
 */
export function announceSteps(log: EngineLog): ReachStep {
  return (step) => {
    log.debug({}, step);
    steps.publish({ step });
  };
}
