export {
  AGENT_CAPABILITIES,
  type AgentCapability,
  namesOfCapabilities,
  neededCapabilities,
  numbersOf,
} from './capabilities.js';
export type { CommandDatabase, ExpectedOffer } from './commands/command-database.js';
export { type AgentCommand, decodeCommand, encodeCommand, keyOfCommand } from './commands/command.js';
export {
  decodePrecheckResponse,
  decodeRestorePrecheck,
  encodePrecheckResponse,
  encodeRestorePrecheck,
  type PrecheckResponse,
  type RestorePrecheck,
} from './commands/restore-precheck.js';
export type { SyncJobCommand } from './commands/run-sync-job.js';
export type { RestoreCommand, SnapshotCommand, SnapshotDeletion } from './commands/snapshot-commands.js';
export type {
  KeptDatabaseDrop,
  ModelErasure,
  ReplacementRevert,
  TargetCleanup,
} from './commands/task-commands.js';
export type { EventEnum, EventField } from './event-schema-data.js';
export { endsWork, type NumberedEvent } from './events/event-envelope.js';
export {
  decodeAcknowledgement,
  decodeEvent,
  encodeAcknowledgement,
  type AgentMessage,
  type Unreadable,
} from './events/event.js';
export {
  encodeRestoreEvent,
  encodeSnapshotEvent,
  type MadeSnapshot,
  type RestoreEvent,
  type RestorePhase,
  type RestoreReport,
  type SentRestoreReport,
  type SentSnapshotReport,
  type SnapshotCounts,
  type SnapshotEvent,
  type SnapshotPhase,
  type SnapshotProgress,
  type SnapshotReport,
  type SnapshotResult,
} from './events/snapshot-event.js';
export type { SnapshotFailure, SnapshotFailureCode } from './events/snapshot-failure.js';
export {
  encodeSyncJobEvent,
  type AgentFailure,
  type AgentPrediction,
  type SyncJobEvent,
  type SyncJobReport,
} from './events/sync-job-event.js';
export {
  encodeDeletion,
  encodeKeptDatabaseDropped,
  encodeModelErased,
  encodeReverted,
  encodeTargetCleanedUp,
  type DeletionRefusal,
  type DropResult,
  type RevertResult,
} from './events/task-result.js';
export type { AgentVerification } from './events/verification.js';
export {
  type AgentHeartbeat,
  type AgentOffer,
  BY_URL,
  byName,
  decodeHeartbeat,
  decodeHeartbeatReply,
  encodeHeartbeat,
  encodeHeartbeatReply,
  type LeaseUpdates,
  nameOf,
} from './heartbeat/heartbeat.js';
export type { GrantedLease, Lease, ReportedLease } from './heartbeat/lease.js';
export type { PolicySummary, RoleCounts } from './heartbeat/policy-summary.js';
export { JOB_SCHEMA } from './job-schema.js';
export type { EncodedMessage } from './wire-values.js';
