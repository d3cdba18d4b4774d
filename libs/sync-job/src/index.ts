export {
  type JobDefinition,
  type JobOptions,
  type JobSubset,
  type JobTable,
  copiedTables,
  jobOptions,
  requestedOptions,
  type TableRules,
  toDefinition,
  toRequest,
  withWhereColumns,
} from './command/job-definition.js';
export type {
  DatabaseReference,
  FetchedTables,
  HostedModel,
  JobComposition,
  SyncJobCommand,
} from './command/sync-job-command.js';
export { MAX_TABLES_BYTES, readTables, writeTables } from './command/table-text.js';
export type { JobEvent, TrainedModel } from './events/job-event.js';
export { LEFT_OUT_KINDS, type LeftOut, type LeftOutKind, leftOutText } from './events/left-out.js';
export {
  BUILD_PHASES,
  BUILD_STATES,
  type BuildPhase,
  type BuildProgress,
  type ExpectedRows,
  type PhaseDuration,
  type Prediction,
  type ProgressReport,
  type SyncJobResult,
  SYNC_PHASES,
  type SyncPhase,
  type SyncWarning,
  TABLE_STATUSES,
  type TableProgress,
  type TableStatus,
} from './events/progress.js';
export type { RowCounts, Verification, VerificationCheck, VerificationKind } from './events/verification.js';
export { failureDefinition, isRetryable, type SyncFailureCode } from './failures/failures.js';
export { type FailureError, failureError } from './failures/failure-error.js';
export { failureCodes, failureMessage, knownCode } from './failures/failure-message.js';
export {
  type ColumnDifference,
  type ColumnType,
  type ConstraintKind,
  defined,
  type RelationKind,
  type SessionLimit,
  type DatabaseSide,
  type Failure,
  type FailureProblem,
  type MissingPrivilege,
  type NamedObject,
  type NamedObjectKind,
  type Received,
  type SqlName,
  type SyncFailure,
  SyncJobError,
  type SyncProblem,
  type UnlistedTable,
} from './failures/failure.js';
export { missingPrivilege, type PrivilegeGrant, privilegeGrant } from './failures/missing-privilege.js';
export { type Names, namesOf } from './failures/names.js';
export { type Warning, warningOf, warningsOf } from './failures/warning-message.js';
export {
  LOCAL_CHECK_MESSAGES,
  REVERT_MESSAGES,
  LOCAL_REVERT_MESSAGES,
  LOCAL_SYNC_MESSAGES,
  type MessageSet,
  SYNC_JOB_MESSAGES,
} from './failures/message-set.js';
export { capital, type MessageTemplate, type Placeholders } from './failures/message-template.js';
export { checkReplacedDatabases, checkReplacement } from './request/check-replacement.js';
export { checkIgnoredTables, checkTables, tableNameCheck } from './request/check-tables.js';
export { type Declaration, readDeclared, unknownFields } from './request/declaration.js';
export {
  expectedButGot,
  type FieldProblem,
  exactFieldPath,
  fieldPath,
  kindOf,
} from './request/field-problem.js';
export { INSTANT_EXPECTED, INSTANT_FORM, parseInstant, startOfUtcDay } from './request/instant.js';
export {
  AGENT_SELECTION,
  type AgentSelection,
  OPTIONS,
  type RequestedOptions,
  type RequestedTable,
  ORPHAN_MODES,
  type OrphanMode,
  SOURCE_CODE_MODES,
  type SourceCodeMode,
  SYNC_JOB_REQUEST,
  TABLE_ROWS,
  type SyncJobRequest,
  type SyncRequest,
  type TableSubset,
  UNLISTED_COLUMNS,
  UNLISTED_TABLES,
  type UnlistedColumns,
  type UnlistedTables,
} from './request/job.js';
export {
  AGENT_LABEL,
  DEFAULT_KEPT_HOURS,
  MAX_AGENT_LABELS,
  MAX_AGENT_SLOTS,
  MAX_COLUMNS,
  MAX_IGNORED_TABLES,
  MAX_KEPT_HOURS,
  MAX_NAME_LENGTH,
  MAX_OFFERED_DATABASES,
  MAX_DATABASE_COLUMNS,
  MAX_DATABASE_TABLES,
  MAX_TABLES,
  parseSeed,
  SEED_EXPECTED,
} from './request/limits.js';
export { isObject, isString, ObjectReader } from './request/object-reader.js';
export { POLICY_FIELDS, type PolicyFields, readPolicyFields } from './request/policy-fields.js';
export {
  isSyncJobRequest,
  readSyncRequest,
  SYNC_REQUEST_FIELDS,
  type WrittenRules,
  writtenRules,
} from './request/read-sync-request.js';
export { type TableName, writeTableName } from './request/table-name.js';
