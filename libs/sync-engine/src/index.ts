export type { EngineKeys } from './engine-keys.js';
export type { EngineLog } from './engine-log.js';
export type { ConnectionTarget } from './connection/connection-target.js';
export {
  isEncryptedAsIn,
  isLoopback,
  isPlaintextRemote,
  SSL_MODES,
  type SslMode,
} from './connection/encryption.js';
export { ConnectionUrlError, parseConnectionUrl } from './connection/connection-url.js';
export { type ErrorDetail, errorDetail, withRowValues } from './error-detail.js';
export { chooseEntries, type CatalogObject } from './postgres/choose-entries.js';
export { connect, disconnect } from './postgres/connect.js';
export { DEFINITION_CLOSURE, FOREIGN_KEYS_ELSEWHERE } from './postgres/definition-closure.sql.js';
export { libpqEnvironment } from './postgres/libpq-environment.js';
export { findPgTools, type PgToolPlaces, type PgTools } from './postgres/pg-tools.js';
export { quoteIdentifier, quoteLiteral, quoteTable } from './postgres/quote.js';
export { DatabaseError, databaseError, type DatabaseSide } from './postgres/database-error.js';
export { readServerIdentity, type ServerIdentity } from './postgres/server-identity.js';
export { sqlName, type SqlName } from './postgres/sql-name.js';
export { parseTableName, type TableName } from './postgres/table-name.js';
export { announceSteps } from './sync/announce-step.js';
export { failureOf } from './sync/failure-of.js';
export type {
  JobReporter,
  PhaseDuration,
  Prediction,
  ProgressReport,
  SyncJobResult,
  SyncPhase,
  SyncWarning,
  TableProgress,
} from './sync/job-reporter.js';
export type { OnLeaseRenewed } from './sync/on-lease-renewed.js';
export type { ColumnType } from './sync/problems/column-difference.js';
export type { MissingPrivilege } from './sync/problems/missing-privilege.js';
export type {
  DatabaseReference,
  HostedModel,
  JobComposition,
  SyncJobCommand,
  TableRules,
  UnlistedColumns,
} from './sync/sync-job-command.js';
export {
  SyncJobError,
  type ConstraintKind,
  type SyncFailure,
  type SyncFailureCode,
  type SyncProblem,
} from './sync/sync-job-error.js';
export { SyncJobRunner } from './sync/sync-job-runner.js';
export type { SyncEnvironment } from './sync/sync-environment.js';
export type { PolicyColumn, PolicyTable, SyncPolicy } from './sync/sync-policy.js';
export { defaultMaskingThreads } from './sync/masking/default-masking-threads.js';
export type { SyncSettings } from './sync/sync-settings.js';
export type { Verification, VerificationCheck, VerificationKind } from './sync/verification/verification.js';
export { masksFingerprint } from './sync/verify-target/masks-fingerprint.js';
export type { MaskedValues, NotRecomputed, RowsNow, TargetCheck } from './sync/verify-target/target-check.js';
export type { TargetVerificationRequest } from './sync/verify-target/target-look.js';
export { verifyTarget } from './sync/verify-target/verify-target.js';
export { HostedModelCache } from './training/hosted-model-cache.js';
export { HostedModels, type HostedModelSource } from './training/hosted-models.js';
export { ModelStore } from './training/model-store.js';
export { DatabaseSurvey } from './survey/database-survey.js';
export type { Misfit } from './survey/find-misfits.js';
export type { RowPreview } from './survey/preview-rows.js';
export { RuleTrial } from './survey/rule-trial.js';
export type { TableSample } from './survey/sample-table.js';
export type {
  DatabaseContents,
  ListedTable,
  SurveyedColumn,
  SurveyedReference,
  SurveyedTable,
} from './survey/surveyed-table.js';
