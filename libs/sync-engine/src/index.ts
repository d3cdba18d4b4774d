export type { EngineKeys } from './engine-keys.js';
export { announceSteps } from './sync/announce-step.js';
export { failureOf } from './sync/failure-of.js';
export type { OnLeaseRenewed } from './sync/on-lease-renewed.js';
export { SyncJobRunner } from './sync/sync-job-runner.js';
export type { SyncEnvironment } from './sync/sync-environment.js';
export type { PolicyColumn, PolicyTable, SyncPolicy } from './sync/sync-policy.js';
export { defaultMaskingThreads } from './sync/masking/default-masking-threads.js';
export type { SyncSettings } from './sync/sync-settings.js';
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
export type { JobReporter } from './sync/job-reporter.js';
