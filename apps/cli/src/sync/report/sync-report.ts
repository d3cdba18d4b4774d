import type {
  FailureError,
  PhaseDuration,
  ProgressReport,
  TableProgress,
  VerificationCheck,
  Warning,
} from '@understudy/sync-job';

/** Who is told how a run goes. Names and counts, no value. */
export interface SyncReport {
  begins(start: RunStart): void;
  /** Of what goes on all the same. */
  remarks(text: string): void;
  progress(report: ProgressReport): void;
  trained(table: string, column: string): void;
  completed(end: CompletedRun): void;
  predicted(end: PredictedRun): void;
  failed(end: FailedRun): void;
  stopping(): void;
  /** Ctrl-C came, and the target is as it was. */
  stopped(): void;
  /** Called before something else writes to the terminal. */
  clear(): void;
}

export interface RunStart {
  readonly job: string;
  /** URLs without passwords. */
  readonly source: string;
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
}

export type NamedCheck = VerificationCheck & { readonly table: string; readonly column?: string };

export interface PredictedRun {
  readonly problems: readonly FailureError[];
  readonly problemCount: number;
  /** 0 rows stand for fewer than ten. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly warnings: readonly Warning[];
}

export interface FailedRun extends FailureError {
  readonly checks: readonly NamedCheck[];
  /** What is copied waits for `--resume`. */
  readonly mayResume: boolean;
}
