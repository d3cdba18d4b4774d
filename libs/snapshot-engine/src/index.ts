export { announceSnapshotSteps } from './job/snapshot-step.js';
export { ARCHIVE_FORMAT } from './archive/archive-attributes.js';
export type {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  RestorePrecheckRequest,
  RestoreSnapshotCommand,
} from './job/snapshot-command.js';
export type { SnapshotEnvironment, SnapshotPolicy } from './snapshot-environment.js';
export {
  SnapshotError,
  snapshotFailureOf,
  type SnapshotFailure,
  type SnapshotFailureCode,
} from './job/snapshot-failure.js';
export type {
  RestorePhase,
  RestoreReporter,
  SnapshotCounts,
  SnapshotPhase,
  SnapshotReporter,
  SnapshotResult,
} from './job/snapshot-reporter.js';
export { SnapshotRunner, type RecoveredRestore } from './snapshot-runner.js';
