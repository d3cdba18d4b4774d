import type { ConstraintKind, DatabaseSide, Failure, SyncFailureCode } from '@understudy/sync-job';

import type { SnapshotFailure as WireSnapshotFailure } from '../schema/index.js';
import { defined, sqlstate, wireSqlstate } from '../wire-values.js';
import { locationOf, wireLocation } from './problem.js';

/** Stable codes; each is a FailureCode of proto/understudy/v1/event.proto. */
export type SnapshotFailureCode =
  | SyncFailureCode
  | 'snapshot_not_found'
  | 'snapshot_corrupt'
  | 'snapshot_key_missing'
  | 'snapshot_format_unknown'
  | 'snapshot_store_unavailable'
  | 'snapshot_store_denied'
  | 'snapshot_store_full'
  | 'target_not_empty'
  | 'target_in_use'
  | 'target_server_older'
  | 'restore_needs_createdb'
  | 'restore_needs_ownership'
  | 'target_holds_other_tables'
  | 'snapshot_too_young';

/** All facts that may leave the network after a snapshot or a restore has failed. */
export interface SnapshotFailure {
  readonly code: SnapshotFailureCode;
  /** Absent if no database caused the failure. */
  readonly side?: DatabaseSide;
  /** Index of the table in the command's `tables`. */
  readonly tableIndex?: number;
  readonly constraintKind?: ConstraintKind;
  /** One of PostgreSQL's documented SQLSTATEs. */
  readonly sqlstate?: string;
}

export function wireSnapshotFailure(failure: SnapshotFailure) {
  return { ...wireLocation(failure), sqlstate: wireSqlstate(failure.sqlstate) };
}

export function snapshotFailure(wire: WireSnapshotFailure): Failure {
  return { ...locationOf(wire), ...defined({ sqlstate: sqlstate(wire.sqlstate) }) };
}
