import {
  failureError,
  type MessageSet,
  type Names,
  type SyncFailure,
  type SyncFailureCode,
} from '@understudy/sync-job';
import { EXIT, type ExitCode } from '../../exit-code.js';

/**
 * The exit code of each failure. The exit code `EXIT.database` means that the job may be valid, but a
 * database cannot be used.
 */
const EXIT_CODES: Readonly<Record<SyncFailureCode, ExitCode>> = {
  internal: EXIT.internal,
  policy_denied: EXIT.refused,
  connection_failed: EXIT.database,
  authentication_failed: EXIT.database,
  database_not_found: EXIT.database,
  secret_unreadable: EXIT.refused,
  server_too_old: EXIT.database,
  pg_dump_too_old: EXIT.refused,
  pg_dump_missing: EXIT.refused,
  pg_dump_failed: EXIT.refused,
  table_not_found: EXIT.refused,
  column_not_found: EXIT.refused,
  column_unlisted: EXIT.refused,
  column_mismatch: EXIT.refused,
  listed_twice: EXIT.refused,
  partition_listed: EXIT.refused,
  column_generated: EXIT.refused,
  json_paths_refused: EXIT.refused,
  rules_in_cycle: EXIT.refused,
  rule_depends_on_row: EXIT.refused,
  model_exhausted: EXIT.refused,
  nullable_refused: EXIT.refused,
  model_trained_twice: EXIT.refused,
  composition_invalid: EXIT.refused,
  rule_invalid: EXIT.refused,
  model_not_found: EXIT.refused,
  training_refused: EXIT.refused,
  generation_failed: EXIT.refused,
  permission_denied: EXIT.database,
  constraint_violation: EXIT.refused,
  value_invalid: EXIT.refused,
  connection_lost: EXIT.database,
  lease_lost: EXIT.refused,
  same_database: EXIT.refused,
  database_error: EXIT.database,
  disk_full: EXIT.database,
  create_failed: EXIT.refused,
  function_unresolved: EXIT.refused,
  cancelled: EXIT.refused,
  agent_restarted: EXIT.refused,
  agent_revoked: EXIT.refused,
  agent_disk_low: EXIT.refused,
  hosted_model_missing: EXIT.refused,
  hosted_model_mismatch: EXIT.refused,
  hosted_model_unavailable: EXIT.refused,
  unique_capacity: EXIT.refused,
  key_referenced_elsewhere: EXIT.refused,
  key_rules_contradict: EXIT.refused,
  rule_misfit: EXIT.refused,
  key_too_large: EXIT.refused,
  key_equality_unsupported: EXIT.refused,
  constraint_broken_by_rule: EXIT.refused,
  prerequisite_missing: EXIT.refused,
  snapshot_lost: EXIT.database,
  lock_timeout: EXIT.database,
  stalled: EXIT.database,
  pooler_unsupported: EXIT.database,
  staging_untrusted: EXIT.database,
  too_few_values: EXIT.refused,
  where_invalid: EXIT.refused,
  where_column_not_found: EXIT.refused,
  where_type_mismatch: EXIT.refused,
  subset_too_large: EXIT.refused,
  subset_not_possible: EXIT.refused,
  verification_failed: EXIT.unequal,
  sslmode_too_weak: EXIT.refused,
  unlisted_not_rejected: EXIT.refused,
  training_not_allowed: EXIT.refused,
  min_values_too_low: EXIT.refused,
  superuser_target: EXIT.refused,
  source_code_refused: EXIT.refused,
  object_untrusted: EXIT.refused,
  differs_refused: EXIT.refused,
  consistent_range_refused: EXIT.refused,
  model_text_refused: EXIT.refused,
  not_a_table: EXIT.refused,
  locks_exhausted: EXIT.database,
  sessions_exhausted: EXIT.database,
  too_few_sessions: EXIT.database,
  memory_exhausted: EXIT.database,
  unlogged_on_standby: EXIT.refused,
  encoding_invalid: EXIT.database,
  target_read_only: EXIT.database,
  target_in_recovery: EXIT.database,
  setting_refused: EXIT.database,
  event_trigger_refused: EXIT.database,
  table_altered: EXIT.database,
  tables_unlisted: EXIT.refused,
  ignored_table_not_found: EXIT.refused,
  publication_of_all_tables: EXIT.refused,
  publication_of_schema: EXIT.refused,
  publication_without_truncate: EXIT.refused,
  locked_by_itself: EXIT.database,
  target_lock_held: EXIT.database,
};

/** Returns the exit code for a failure of the engine. */
export function failureExitCode(code: SyncFailureCode): ExitCode {
  return EXIT_CODES[code];
}

/** Returns the exit code for a code that may be from another version. */
export function exitCodeOf(code: string | undefined): ExitCode {
  const known: Readonly<Record<string, ExitCode>> = EXIT_CODES;
  return code !== undefined && Object.hasOwn(known, code) ? (known[code] ?? EXIT.refused) : EXIT.refused;
}

/** Returns a failure's message, then one line for each problem with its location in the job file. */
export function failureLines(failure: SyncFailure, names: Names, messages: MessageSet): string {
  const { message, details } = failureError(failure, names, messages);
  const isRepeated = details.length === 1 && details[0]?.message === message;
  const lines = isRepeated ? [] : details.map((detail) => `${detail.field}: ${detail.message}`);
  return [message, ...lines].join('\n');
}
