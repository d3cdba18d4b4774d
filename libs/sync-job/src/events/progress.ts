import type { NamedObject, SqlName, SyncFailure } from '../failures/failure.js';
import type { LeftOut } from './left-out.js';
import type { Verification } from './verification.js';

export interface TableProgress {
  readonly tableIndex: number;
  readonly rowsProcessed: number;
  /** An estimate until all rows are copied, then the exact count. */
  readonly rowsTotal: number;
  /** The number of bytes of rows that were sent to the target. */
  readonly bytesProcessed: number;
  /** The size of the source's table until all rows are copied, then `bytesProcessed`. */
  readonly bytesTotal: number;
  readonly state: TableStatus;
}

export const TABLE_STATUSES = ['pending', 'copying', 'indexing', 'verifying', 'completed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

/**
 * A phase of a sync job. Indexes are built while the copied rows are read back. The time until all rows are
 * read belongs to the phase `verifying`. The phase `indexing` is the rest of the time that the index builds
 * take.
 */
export type SyncPhase = (typeof SYNC_PHASES)[number];
export const SYNC_PHASES = [
  'preflight',
  'training',
  'copying',
  'indexing',
  'verifying',
  'switching',
] as const;

export interface PhaseDuration {
  readonly phase: SyncPhase;
  readonly durationMs: number;
}

/**
 * A phase of the build of a new database, in this order. `rows` counts rows, and each other phase counts its steps.
 * - `objects`: the definitions of the dump before the rows.
 * - `indexes`: a step builds all indexes of a table or a partition, or analyzes a table.
 * - `keys`: foreign keys, and then what else the dump defines after the rows, such as triggers and rules.
 * - `views`: materialized views, and then row security, policies and event triggers.
 * - `swap`: owners and privileges, and then both names change.
 */
export type BuildPhase = (typeof BUILD_PHASES)[number];
export const BUILD_PHASES = ['objects', 'rows', 'indexes', 'keys', 'views', 'swap'] as const;

export const BUILD_STATES = ['pending', 'running', 'completed'] as const;

export interface BuildProgress {
  readonly phase: BuildPhase;
  readonly state: (typeof BUILD_STATES)[number];
  readonly done: number;
  /** Undefined while it is unknown, and if an earlier attempt has completed the phase. */
  readonly total?: number;
  /** The estimated rest of a running phase; undefined while there is no estimate. */
  readonly remainingMs?: number;
}

export interface ProgressReport {
  readonly tables: readonly TableProgress[];
  readonly phase: SyncPhase;
  /** The average over the last seconds; 0 while no rows are copied. */
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** The time until all rows are copied at the present throughput; undefined while it is unknown. */
  readonly remainingMs?: number;
  /** All phases of the build, in their order. Absent if the job builds no database. */
  readonly build?: readonly BuildProgress[];
}

export interface SyncWarning {
  readonly code:
    | 'foreign_key_skipped'
    | 'value_truncated'
    | 'restarted_from_zero'
    | 'result_unknown'
    | 'waited_for_job'
    | 'waited_for_lock'
    | 'unique_scarce'
    | 'large_objects_skipped'
    | 'definition_copied'
    | 'rewritten_without_pg_dump'
    | 'sequence_unknown'
    | 'sequence_name_dynamic'
    | 'sequence_options_differ'
    | 'differs_off'
    | 'rule_outdated'
    | 'superuser_target'
    | 'tables_unlisted'
    | 'materialized_views_stale'
    | 'materialized_views_not_refreshed'
    | 'left_out_unknown'
    | 'old_statistics_kept'
    | 'definition_not_tried'
    | 'training_not_tried'
    | 'trigger_omitted'
    | 'rule_omitted'
    | 'policy_omitted'
    | 'constraint_omitted'
    | 'index_omitted'
    | 'default_omitted'
    | 'generation_omitted'
    | 'statistics_omitted'
    | 'orphans_skipped'
    | 'orphans_kept'
    | 'dependent_left_out'
    | 'not_null_names_lost'
    | 'partition_identity_lost'
    | 'object_skipped'
    | 'target_only_dropped'
    | 'owner_not_given'
    | 'privilege_not_given'
    | 'privilege_missing'
    | 'role_missing'
    | 'setting_not_given'
    | 'security_definer_removed'
    | 'personal_definitions'
    | 'subscriptions_not_copied'
    | 'publications_not_copied'
    | 'security_labels_not_copied'
    | 'user_mappings_not_copied'
    | 'public_comment_not_copied'
    | 'extension_version_differs';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  /** The number of objects that the warning concerns. */
  readonly count?: number;
  /** The foreign key of `orphans_skipped` and `orphans_kept`. */
  readonly constraint?: SqlName;
  /** The object of `dependent_left_out`, `object_skipped`, `target_only_dropped` and `extension_version_differs`. */
  readonly object?: NamedObject;
}

/** The result of a dry run: the failures that the job would have, as far as checks can predict them. */
export interface Prediction {
  /** The expected failures, up to a limit; empty if no failure is expected. */
  readonly failures: readonly SyncFailure[];
  /** The number of all failures, including those that are not in the list. */
  readonly failureCount: number;
  /** The expected number of rows of each table that could be checked. */
  readonly tables: readonly ExpectedRows[];
  readonly warnings: readonly SyncWarning[];
  /** Absent if a check failed that the prediction depends on. */
  readonly leftOut?: LeftOut;
}

export interface ExpectedRows {
  readonly tableIndex: number;
  /** Rounded to two significant digits; 0 for fewer than ten. */
  readonly rows: number;
}

/** The report of a job that completed. */
export interface SyncJobResult {
  readonly tables: readonly TableProgress[];
  readonly warnings: readonly SyncWarning[];
  /** The phases in the order in which they began. */
  readonly phases: readonly PhaseDuration[];
  readonly verification: Verification;
  /** Absent if the catalogs could not be read after the switch. */
  readonly leftOut?: LeftOut;
  /** For how long the replaced database is kept, in hours. Absent if there is none, or it was dropped. */
  readonly keptHours?: number;
}
