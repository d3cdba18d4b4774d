/**
 * The string and bytes fields that an agent may send, with the reason why each contains nothing from a row. A
 * new entry lets agents send more text across the trust boundary. It therefore needs a review by a security
 * owner and an ADR.
 */
export const REVIEWED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['understudy.v1.Lease.job_id', 'an id that the control plane issued'],
  ['understudy.v1.SyncJobEvent.job_id', 'an id that the control plane issued'],
  ['understudy.v1.PrivateModelErased.erasure_id', 'an id that the control plane issued'],
  ['understudy.v1.SyncTargetCleared.job_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotEvent.snapshot_id', 'an id that the control plane issued'],
  ['understudy.v1.RestoreEvent.restore_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotDeleted.deletion_id', 'an id that the control plane issued'],
  ['understudy.v1.SnapshotDeletionRefused.deletion_id', 'an id that the control plane issued'],
  ['understudy.v1.Answer.question_id', 'an id that the control plane issued'],
  ['understudy.v1.OfferedDatabase.name', 'a database name of the policy file; see docs/adr/0049'],
  ['understudy.v1.AgentOffer.labels', 'labels of the agent configuration, at most 16; see docs/adr/0049'],
  ['understudy.v1.SqlName.text', 'an identifier of a catalog, at most 63 bytes; see docs/adr/0016'],
]);

/** The direction of the messages of each schema file. The lint refuses a file that is not listed. */
export const DIRECTIONS: ReadonlyMap<string, 'agent-to-control' | 'control-to-agent'> = new Map([
  ['understudy/v1/event.proto', 'agent-to-control'],
  ['understudy/v1/command.proto', 'control-to-agent'],
  ['understudy/v1/acknowledgement.proto', 'control-to-agent'],
]);
