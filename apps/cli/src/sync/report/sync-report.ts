import type { LocalNames } from '@understudy/sync-engine';
import type {
  FailureError,
  LeftOut,
  PhaseDuration,
  ProgressReport,
  TableProgress,
  VerificationCheck,
  Warning,
} from '@understudy/sync-job';
import type { ListedFields } from '../job-file/job-file.js';

/** Receives the progress and the result of a run. Gets names and counts, but no values of rows. */
export interface SyncReport {
  begins(start: RunStart): void;
  /** Reports a fact that does not stop the run. */
  remarks(text: string): void;
  progress(report: ProgressReport): void;
  trained(table: string, column: string): void;
  /** Reports what a completed or predicted run only counts or permits. Called before `completed` or `predicted`. */
  lists(listed: Listed): void;
  completed(end: CompletedRun): void;
  predicted(end: PredictedRun): void;
  failed(end: FailedRun): void;
  stopping(): void;
  /** Reports that the run was stopped with Ctrl-C and that the target is unchanged. */
  stopped(): void;
  /** Removes the progress line. Called before other code prints on the terminal. */
  clear(): void;
}

/** Names of objects, or the fields of the job file that stand for keys of a policy. */
export type Listed = LocalNames | { readonly about: 'policy'; readonly fields: ListedFields };

export interface RunStart {
  readonly job: string;
  /** The source's URL without its password. */
  readonly source: string;
  /** The target's URL without its password. */
  readonly target: string;
  readonly tables: number;
  readonly isResumed: boolean;
  readonly isDryRun: boolean;
}

export interface CompletedRun {
  readonly durationMs: number;
  readonly tables: readonly (TableProgress & { readonly name: string })[];
  readonly phases: readonly PhaseDuration[];
  readonly warnings: readonly Warning[];
  readonly checks: readonly NamedCheck[];
  readonly leftOut: LeftOut | undefined;
}

export type NamedCheck = VerificationCheck & { readonly table: string; readonly column?: string };

export interface PredictedRun {
  readonly problems: readonly FailureError[];
  readonly problemCount: number;
  /** The expected number of rows of each table. 0 means fewer than ten. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly warnings: readonly Warning[];
  readonly leftOut: LeftOut | undefined;
}

export interface FailedRun extends FailureError {
  readonly checks: readonly NamedCheck[];
  /** True if the copied rows are kept and `--resume` can continue the run. */
  readonly mayResume: boolean;
}
