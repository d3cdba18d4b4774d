export type { LeftOutObject, LocalNames } from './local-names.js';
export type { KeepSnapshot, SyncEnvironment, SyncSettings } from './environment.js';
export type { JobReporter } from './progress/progress-meter.js';
export {
  type EngineKeys,
  PERMISSIVE_RULES,
  type Permission,
  type PolicyColumn,
  type PolicyTable,
  type SyncPolicy,
  type SyncRules,
} from './policy.js';
export { announceSteps } from './sync-steps.js';
export { failureOf } from './session/guard.js';
export { SyncJobRunner } from './run/run-sync-job.js';
export { defaultMaskingThreads } from './copy/threads/masking-threads.js';
export {
  masksFingerprint,
  type TargetVerificationRequest,
} from './checks/verify-target/target-verification.js';
export type {
  MaskedValues,
  NotRecomputed,
  RowsNow,
  TargetCheck,
} from './checks/verify-target/target-check.js';
export { verifyTarget } from './checks/verify-target/verify-target.js';
export { HostedModelCache } from './models/hosted-model-cache.js';
export { HostedModels, type HostedModelSource } from './models/hosted-models.js';
export { ModelStore } from './models/model-store.js';
export {
  DatabaseSurvey,
  type DocumentsRead,
  type TableSampled,
  type UnreadReason,
} from './checks/survey/database-survey.js';
export type { TypeMismatch } from './checks/survey/find-type-mismatches.js';
export type { RowPreview } from './checks/survey/preview-rows.js';
export { RuleTrial } from './checks/survey/rule-trial.js';
export type { TableSample } from './checks/survey/sample-table.js';
export type {
  DatabaseContents,
  ListedTable,
  SurveyedColumn,
  SurveyedReference,
  SurveyedTable,
} from './checks/survey/surveyed-table.js';
