import { ConstraintKind, DatabaseSide, FailureCode } from '@understudy/contract';
import type { SnapshotFailure, SnapshotFailureCode } from '@understudy/snapshot-engine';
import type { ConstraintKind as ConstraintKindName, SyncFailure, SyncProblem } from '@understudy/sync-job';

/** What failures and problems of all kinds have in common on the wire. */
export function wireCodes({ code, side, constraintKind }: SyncFailure | SyncProblem | SnapshotFailure) {
  return {
    code: FAILURE_CODE[code],
    side: side === undefined ? DatabaseSide.UNSPECIFIED : SIDE[side],
    constraintKind:
      constraintKind === undefined ? ConstraintKind.UNSPECIFIED : CONSTRAINT_KIND[constraintKind],
  };
}

/** Five characters read as base-36 digits; 0 for anything that is not a SQLSTATE. */
export function sqlstateNumber(sqlstate: string | undefined): number {
  return sqlstate !== undefined && /^[0-9A-Z]{5}$/.test(sqlstate) ? Number.parseInt(sqlstate, 36) : 0;
}

/** A count as the wire has it: whole, and not below zero. */
export function wireCount(count: number): bigint {
  return BigInt(Math.max(0, Math.round(count)));
}

const SIDE = { source: DatabaseSide.SOURCE, target: DatabaseSide.TARGET } as const;
const CONSTRAINT_KIND: Record<ConstraintKindName, ConstraintKind> = {
  not_null: ConstraintKind.NOT_NULL,
  unique: ConstraintKind.UNIQUE,
  foreign_key: ConstraintKind.FOREIGN_KEY,
  check: ConstraintKind.CHECK,
  exclusion: ConstraintKind.EXCLUSION,
};
const FAILURE_CODE: Record<SnapshotFailureCode, FailureCode> = {
  internal: FailureCode.INTERNAL,
  policy_denied: FailureCode.POLICY_DENIED,
  sslmode_too_weak: FailureCode.SSLMODE_TOO_WEAK,
  unlisted_not_rejected: FailureCode.UNLISTED_NOT_REJECTED,
  training_not_allowed: FailureCode.TRAINING_NOT_ALLOWED,
  min_values_too_low: FailureCode.MIN_VALUES_TOO_LOW,
  snapshot_too_young: FailureCode.SNAPSHOT_TOO_YOUNG,
  connection_failed: FailureCode.CONNECTION_FAILED,
  authentication_failed: FailureCode.AUTHENTICATION_FAILED,
  database_not_found: FailureCode.DATABASE_NOT_FOUND,
  secret_unreadable: FailureCode.SECRET_UNREADABLE,
  server_too_old: FailureCode.SERVER_TOO_OLD,
  pg_dump_too_old: FailureCode.PG_DUMP_TOO_OLD,
  pg_dump_missing: FailureCode.PG_DUMP_MISSING,
  table_not_found: FailureCode.TABLE_NOT_FOUND,
  column_not_found: FailureCode.COLUMN_NOT_FOUND,
  column_unlisted: FailureCode.COLUMN_UNLISTED,
  column_mismatch: FailureCode.COLUMN_MISMATCH,
  rule_invalid: FailureCode.RULE_INVALID,
  model_not_found: FailureCode.MODEL_NOT_FOUND,
  training_refused: FailureCode.TRAINING_REFUSED,
  generation_failed: FailureCode.GENERATION_FAILED,
  permission_denied: FailureCode.PERMISSION_DENIED,
  constraint_violation: FailureCode.CONSTRAINT_VIOLATION,
  value_invalid: FailureCode.VALUE_INVALID,
  connection_lost: FailureCode.CONNECTION_LOST,
  lease_lost: FailureCode.LEASE_LOST,
  same_database: FailureCode.SAME_DATABASE,
  database_error: FailureCode.DATABASE_ERROR,
  disk_full: FailureCode.DISK_FULL,
  create_failed: FailureCode.CREATE_FAILED,
  cancelled: FailureCode.CANCELLED,
  agent_restarted: FailureCode.AGENT_RESTARTED,
  agent_disk_low: FailureCode.AGENT_DISK_LOW,
  hosted_model_missing: FailureCode.HOSTED_MODEL_MISSING,
  hosted_model_mismatch: FailureCode.HOSTED_MODEL_MISMATCH,
  hosted_model_unavailable: FailureCode.HOSTED_MODEL_UNAVAILABLE,
  verification_failed: FailureCode.VERIFICATION_FAILED,
  unique_capacity: FailureCode.UNIQUE_CAPACITY,
  key_referenced_elsewhere: FailureCode.KEY_REFERENCED_ELSEWHERE,
  key_rules_contradict: FailureCode.KEY_RULES_CONTRADICT,
  rule_misfit: FailureCode.RULE_MISFIT,
  key_too_large: FailureCode.KEY_TOO_LARGE,
  prerequisite_missing: FailureCode.PREREQUISITE_MISSING,
  snapshot_lost: FailureCode.SNAPSHOT_LOST,
  lock_timeout: FailureCode.LOCK_TIMEOUT,
  stalled: FailureCode.STALLED,
  pooler_unsupported: FailureCode.POOLER_UNSUPPORTED,
  staging_untrusted: FailureCode.STAGING_UNTRUSTED,
  too_few_values: FailureCode.TOO_FEW_VALUES,
  where_invalid: FailureCode.WHERE_INVALID,
  where_column_not_found: FailureCode.WHERE_COLUMN_NOT_FOUND,
  where_type_mismatch: FailureCode.WHERE_TYPE_MISMATCH,
  subset_too_large: FailureCode.SUBSET_TOO_LARGE,
  subset_not_possible: FailureCode.SUBSET_NOT_POSSIBLE,
  snapshot_not_found: FailureCode.SNAPSHOT_NOT_FOUND,
  snapshot_corrupt: FailureCode.SNAPSHOT_CORRUPT,
  snapshot_key_missing: FailureCode.SNAPSHOT_KEY_MISSING,
  snapshot_format_unknown: FailureCode.SNAPSHOT_FORMAT_UNKNOWN,
  snapshot_store_unavailable: FailureCode.SNAPSHOT_STORE_UNAVAILABLE,
  snapshot_store_denied: FailureCode.SNAPSHOT_STORE_DENIED,
  snapshot_store_full: FailureCode.SNAPSHOT_STORE_FULL,
  target_not_empty: FailureCode.TARGET_NOT_EMPTY,
  target_in_use: FailureCode.TARGET_IN_USE,
  target_server_older: FailureCode.TARGET_SERVER_OLDER,
  restore_needs_createdb: FailureCode.RESTORE_NEEDS_CREATEDB,
  restore_needs_ownership: FailureCode.RESTORE_NEEDS_OWNERSHIP,
  target_holds_other_tables: FailureCode.TARGET_HOLDS_OTHER_TABLES,
};
