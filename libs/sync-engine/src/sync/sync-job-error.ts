import type { Verification } from './verification/verification.js';
import type { SqlName } from '../postgres/sql-name.js';
import type { ColumnDifference, ColumnType } from './problems/column-difference.js';
import type { MissingPrivilege } from './problems/missing-privilege.js';

/** Stable codes; each is a FailureCode of proto/understudy/v1/event.proto. */
export type SyncFailureCode =
  | 'internal'
  | 'policy_denied'
  | 'connection_failed'
  | 'authentication_failed'
  | 'database_not_found'
  | 'secret_unreadable'
  | 'server_too_old'
  | 'pg_dump_too_old'
  | 'pg_dump_missing'
  | 'table_not_found'
  | 'column_not_found'
  | 'column_unlisted'
  | 'column_mismatch'
  | 'rule_invalid'
  | 'model_not_found'
  | 'training_refused'
  | 'generation_failed'
  | 'permission_denied'
  | 'constraint_violation'
  | 'value_invalid'
  | 'connection_lost'
  | 'lease_lost'
  | 'same_database'
  | 'database_error'
  | 'disk_full'
  | 'create_failed'
  | 'cancelled'
  | 'agent_restarted'
  | 'agent_disk_low'
  | 'hosted_model_missing'
  | 'hosted_model_mismatch'
  | 'hosted_model_unavailable'
  | 'unique_capacity'
  | 'key_referenced_elsewhere'
  | 'key_rules_contradict'
  | 'rule_misfit'
  | 'key_too_large'
  | 'prerequisite_missing'
  | 'snapshot_lost'
  | 'lock_timeout'
  | 'stalled'
  | 'pooler_unsupported'
  | 'staging_untrusted'
  | 'too_few_values'
  | 'where_invalid'
  | 'where_column_not_found'
  | 'where_type_mismatch'
  | 'subset_too_large'
  | 'subset_not_possible'
  | 'verification_failed'
  | 'sslmode_too_weak'
  | 'unlisted_not_rejected'
  | 'training_not_allowed'
  | 'min_values_too_low';

export type ConstraintKind = 'not_null' | 'unique' | 'foreign_key' | 'check' | 'exclusion';

/** Everything about a failure that may leave the network. Indexes point into the command. */
export interface SyncFailure {
  readonly code: SyncFailureCode;
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  /** Of the rules; past these, of the columns that the table's `where` names, as they first appear. */
  readonly columnIndex?: number;
  readonly constraintKind?: ConstraintKind;
  /** One of PostgreSQL's documented SQLSTATEs. */
  readonly sqlstate?: string;
  /** With `verification_failed`: all checks that were made. */
  readonly verification?: Verification;
  /** All that the checks before the first row found, when that is more than the above says; this failure first. */
  readonly problems?: readonly SyncProblem[];
  /** Those beyond the list too. */
  readonly problemCount?: number;
}

/** One thing that stands in a job's way, found before a row moves. Indexes point into the command. */
export interface SyncProblem {
  readonly code: SyncFailureCode;
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  readonly constraintKind?: ConstraintKind;
  /** A column that the command does not list. */
  readonly column?: SqlName;
  /** A constraint or unique index of the target that the rows would break. */
  readonly constraint?: SqlName;
  readonly difference?: ColumnDifference;
  readonly sourceType?: ColumnType;
  readonly targetType?: ColumnType;
  readonly privilege?: MissingPrivilege;
}

/**
 * A job's failure. `failure` goes to the control plane; `cause` may quote row values (PostgreSQL's DETAIL does) and
 * therefore stays in the agent's local log.
 */
export class SyncJobError extends Error {
  constructor(
    readonly failure: SyncFailure,
    options?: ErrorOptions,
  ) {
    super(failure.code, options);
    this.name = 'SyncJobError';
  }
}
