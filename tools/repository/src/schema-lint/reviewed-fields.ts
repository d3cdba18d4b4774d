const COUNT = 'a count of entries or patterns of the policy file; see docs/adr/0072';
const LIMIT = 'a limit of the policy file; see docs/adr/0072';
const CHOICE = 'a choice of the policy file; see docs/adr/0072';

/**
 * The string and bytes fields that an agent may send, with the reason why each contains nothing from a row. A
 * new entry lets agents send more text across the trust boundary. It therefore needs a review by a security
 * owner and an ADR. If a field of another type is listed, all fields of its message must be listed.
 */
export const REVIEWED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['understudy.v1.Lease.job_id', 'an id that the control plane issued'],
  ['understudy.v1.SyncJobEvent.job_id', 'an id that the control plane issued'],
  ['understudy.v1.PrivateModelErased.erasure_id', 'an id that the control plane issued'],
  ['understudy.v1.SyncTargetCleared.job_id', 'an id that the control plane issued'],
  ['understudy.v1.KeptDatabaseDropped.change_id', 'an id that the control plane issued'],
  ['understudy.v1.ReplacementReverted.revert_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotEvent.snapshot_id', 'an id that the control plane issued'],
  ['understudy.v1.RestoreEvent.restore_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotDeleted.deletion_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotDeletionRefused.deletion_id', 'an id that the control plane issued'],
  ['understudy.v1.Answer.question_id', 'an id that the control plane issued'],
  ['understudy.v1.OfferedDatabase.name', 'a database name of the policy file; see docs/adr/0049'],
  ['understudy.v1.AgentOffer.labels', 'labels of the agent configuration, at most 16; see docs/adr/0049'],
  ['understudy.v1.SqlName.text', 'an identifier of a catalog, at most 63 bytes; see docs/adr/0016'],
  [
    'understudy.v1.AgentOffer.databases',
    'database names of the policy file, each with a keyed hash; see docs/adr/0049',
  ],
  ['understudy.v1.AgentOffer.masking_key', 'a keyed hash; see docs/adr/0049'],
  ['understudy.v1.AgentOffer.urls', 'a keyed hash; see docs/adr/0049'],
  ['understudy.v1.AgentOffer.slots', 'a limit of the agent configuration; see docs/adr/0072'],
  ['understudy.v1.AgentOffer.snapshot_store_kind', 'a choice of the agent configuration; see docs/adr/0072'],
  ['understudy.v1.AgentOffer.policy', 'counts, limits and choices of the policy file; see docs/adr/0072'],
  [
    'understudy.v1.AgentOffer.capabilities',
    'options that the version of the agent applies; see docs/adr/0088',
  ],
  ['understudy.v1.PolicySummary.databases', COUNT],
  ['understudy.v1.PolicySummary.urls', COUNT],
  ['understudy.v1.PolicySummary.never_preserve', COUNT],
  ['understudy.v1.PolicySummary.may_preserve', COUNT],
  ['understudy.v1.PolicySummary.min_values_floor', LIMIT],
  ['understudy.v1.PolicySummary.snapshot_min_age_hours', LIMIT],
  ['understudy.v1.PolicySummary.keep_replaced_hours', LIMIT],
  ['understudy.v1.PolicySummary.min_sslmode', CHOICE],
  ['understudy.v1.PolicySummary.allow_plaintext', CHOICE],
  ['understudy.v1.PolicySummary.protect_text', CHOICE],
  ['understudy.v1.PolicySummary.reject_unlisted', CHOICE],
  ['understudy.v1.PolicySummary.allow_where', CHOICE],
  ['understudy.v1.PolicySummary.allow_training', CHOICE],
  ['understudy.v1.PolicySummary.report_names', CHOICE],
  ['understudy.v1.PolicySummary.allow_shared_schemas', CHOICE],
  ['understudy.v1.PolicySummary.allow_source_code', CHOICE],
  ['understudy.v1.PolicySummary.allow_superuser_target', CHOICE],
  ['understudy.v1.PolicySummary.allow_security_definer', CHOICE],
  ['understudy.v1.PolicySummary.allow_large_objects', CHOICE],
  ['understudy.v1.PolicySummary.allow_foreign_servers', CHOICE],
  ['understudy.v1.PolicySummary.allow_end_sessions', CHOICE],
  ['understudy.v1.PolicySummary.max_database_bytes', COUNT],
  ['understudy.v1.RoleCounts.total', COUNT],
  ['understudy.v1.RoleCounts.source', COUNT],
  ['understudy.v1.RoleCounts.target', COUNT],
  ['understudy.v1.RoleCounts.snapshot', COUNT],
  ['understudy.v1.RoleCounts.restore', COUNT],
  ['understudy.v1.RoleCounts.replace', COUNT],
]);

/** The direction of the messages of each schema file. The lint refuses a file that is not listed. */
export const DIRECTIONS: ReadonlyMap<string, 'agent-to-control' | 'control-to-agent'> = new Map([
  ['understudy/v1/event.proto', 'agent-to-control'],
  ['understudy/v1/command.proto', 'control-to-agent'],
  ['understudy/v1/acknowledgement.proto', 'control-to-agent'],
]);
