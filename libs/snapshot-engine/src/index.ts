export { announceSnapshotSteps } from './job/snapshot-step.js';
export { ARCHIVE_FORMAT } from './archive/archive-attributes.js';
export type {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  RestorePrecheckRequest,
  RestoreSnapshotCommand,
} from './job/snapshot-command.js';
export type { SnapshotEnvironment, SnapshotPolicy } from './snapshot-environment.js';
export { SnapshotError, snapshotFailureOf } from './job/snapshot-failure.js';
export type { RestoreReporter, SnapshotEvent, SnapshotReporter } from './job/snapshot-reporter.js';
export { SnapshotRunner, type RecoveredRestore } from './snapshot-runner.js';
