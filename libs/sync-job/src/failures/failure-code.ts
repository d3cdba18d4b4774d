/** The stable failure codes. Each is a FailureCode of proto/understudy/v1/event.proto. */
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
  | 'pg_dump_failed'
  | 'table_not_found'
  | 'column_not_found'
  | 'column_unlisted'
  | 'column_mismatch'
  | 'rule_invalid'
  | 'listed_twice'
  | 'partition_listed'
  | 'column_generated'
  | 'json_paths_refused'
  | 'rules_in_cycle'
  | 'rule_depends_on_row'
  | 'model_exhausted'
  | 'nullable_refused'
  | 'model_trained_twice'
  | 'composition_invalid'
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
  | 'function_unresolved'
  | 'cancelled'
  | 'agent_restarted'
  | 'agent_revoked'
  | 'agent_disk_low'
  | 'hosted_model_missing'
  | 'hosted_model_mismatch'
  | 'hosted_model_unavailable'
  | 'unique_capacity'
  | 'key_referenced_elsewhere'
  | 'key_rules_contradict'
  | 'rule_misfit'
  | 'key_too_large'
  | 'key_equality_unsupported'
  | 'constraint_broken_by_rule'
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
  | 'min_values_too_low'
  | 'differs_refused'
  | 'consistent_range_refused'
  | 'model_text_refused'
  | 'not_a_table'
  | 'locks_exhausted'
  | 'sessions_exhausted'
  | 'memory_exhausted'
  | 'unlogged_on_standby'
  | 'encoding_invalid'
  | 'target_read_only'
  | 'target_in_recovery'
  | 'superuser_target'
  | 'setting_refused'
  | 'event_trigger_refused'
  | 'tables_unlisted'
  | 'ignored_table_not_found'
  | 'source_code_refused';

/**
 * Returns whether another attempt of the job may succeed after this failure. The control plane then gives the
 * job to an agent again, and the failed attempt does not delete its staging tables.
 */
export function isRetryable({ code }: { readonly code: string }): boolean {
  return RETRYABLE.has(code);
}

const RETRYABLE: ReadonlySet<string> = new Set([
  'agent_disk_low',
  'agent_restarted',
  'connection_lost',
  'hosted_model_unavailable',
  'lease_lost',
  'snapshot_lost',
  'stalled',
]);
