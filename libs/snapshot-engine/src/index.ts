export { announceSnapshotStep } from './announce-snapshot-step.js';
export { ARCHIVE_FORMAT } from './archive-attributes.js';
export type {
  CreateSnapshotCommand,
  DeleteSnapshotCommand,
  RestoreQuestion,
  RestoreSnapshotCommand,
} from './snapshot-command.js';
export type { SnapshotEnvironment, SnapshotPolicy } from './snapshot-environment.js';
export {
  SnapshotError,
  snapshotFailureOf,
  type SnapshotFailure,
  type SnapshotFailureCode,
} from './snapshot-failure.js';
export type {
  RestorePhase,
  RestoreReporter,
  SnapshotCounts,
  SnapshotPhase,
  SnapshotReporter,
  SnapshotResult,
} from './snapshot-reporter.js';
export { SnapshotRunner, type RecoveredRestore } from './snapshot-runner.js';
