/** Points that attempts pass; what is done before one survives whatever happens at it. */
export type SnapshotStep =
  /** pg_dump runs. */
  | 'dumping'
  /** A table's rows are in the store. */
  | 'file_stored'
  | 'all_files_stored'
  | 'snapshot_finished'
  /** Every byte of the snapshot was authenticated. */
  | 'archive_checked'
  | 'understudy_created'
  | 'loaded'
  | 'before_switch'
  | 'switched'
  | 'old_dropped'
  /** The end of a restore is in the journal. */
  | 'reported'
  /** An archive of a snapshot that is to go is gone. */
  | 'archive_deleted';

/** Called at each step; the attempt goes on when it resolves. */
export type ReachSnapshotStep = (step: SnapshotStep) => Promise<void> | void;
