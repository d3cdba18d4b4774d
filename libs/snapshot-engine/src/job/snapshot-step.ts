import { channel } from 'node:diagnostics_channel';
import type { EngineLog } from '@understudy/postgres';

/** The steps of an attempt. At each step, the attempt calls a {@link ReachSnapshotStep}. */
export type SnapshotStep =
  /** The attempt is about to start pg_dump. */
  | 'dumping'
  /** A file of the dump is in the store. */
  | 'file_stored'
  | 'all_files_stored'
  | 'snapshot_finished'
  /** No other work uses the target of the restore. */
  | 'target_locked'
  /** Every byte of the snapshot has been authenticated. */
  | 'archive_checked'
  | 'restore_database_created'
  | 'loaded'
  | 'before_switch'
  | 'switched'
  | 'old_dropped'
  /** The end of a restore is in the journal. */
  | 'reported'
  /** An archive of a deleted snapshot has been removed. */
  | 'archive_deleted';

/** Called at each step. The attempt continues when the promise resolves. */
export type ReachSnapshotStep = (step: SnapshotStep) => Promise<void> | void;

const steps = channel('understudy.snapshot.step');

/** Logs each step at level debug and publishes it on this process's diagnostics channel `understudy.snapshot.step`. */
export function announceSnapshotSteps(log: EngineLog): ReachSnapshotStep {
  return (step) => {
    log.debug({}, step);
    steps.publish({ step });
  };
}
