import { channel } from 'node:diagnostics_channel';
import type { EngineLog } from '@understudy/postgres';

/**
 * Points that every attempt passes in this order (the two of a chunk once for each chunk). Work that is done before a point survives whatever
 * happens at it.
 */
export type SyncStep =
  /** No other job works on the target, and older attempts of this one cannot commit any more. */
  | 'target_locked'
  /** By its keeper; what does not outlive the attempt may have been read in it before. */
  | 'snapshot_held'
  | 'planned'
  | 'models_trained'
  | 'staging_created'
  /** A chunk's rows are sent, and not committed. */
  | 'chunk_copied'
  | 'chunk_committed'
  | 'all_chunks_committed'
  | 'indexes_built'
  | 'switch_begun'
  /** Everything is in its place and nothing of it visible. */
  | 'before_commit'
  | 'committed'
  /** The end is in the journal. */
  | 'reported';

/** Called at each step; the attempt goes on when it resolves. */
export type ReachStep = (step: SyncStep) => Promise<void> | void;

const steps = channel('understudy.sync.step');

/** Tells of each step in the log, at level debug, and on the diagnostics channel `understudy.sync.step` of this process. */
export function announceSteps(log: EngineLog): ReachStep {
  return (step) => {
    log.debug({}, step);
    steps.publish({ step });
  };
}
