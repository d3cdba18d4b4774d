import type * as job from '@understudy/sync-job';
import type { BuildProgress, LeftOut, SyncPhase, TableStatus } from '@understudy/sync-job';
import type { WorkWarning } from '../../agents/agent-work/choice/waiting-warnings.js';
import type { JobError, WorkState } from '../../agents/agent-work/leases/work-state.js';

/** A registered composition, in the version that the control plane found when it accepted the job. */
export interface AcceptedComposition extends job.JobComposition {
  /** `name@version` */
  readonly id: string;
}

/** The definition of an accepted job. Events refer to its tables and columns by index. */
export interface JobDefinition extends job.JobDefinition {
  readonly tables: readonly job.JobTable[];
  /** The uploaded models of the job, as they were at its acceptance. Absent in jobs of earlier versions. */
  readonly hostedModels?: readonly job.HostedModel[];
  /**
   * The registered compositions of the job, as they were at its acceptance. Absent in jobs of earlier
   * versions.
   */
  readonly compositions?: readonly AcceptedComposition[];
  readonly fetchedTables?: job.FetchedTables;
}

/** A definition without its tables, if an agent fetches them: see `fetched-tables.ts`. */
export type StoredDefinition = Omit<JobDefinition, 'tables'> & Partial<Pick<JobDefinition, 'tables'>>;

export interface TableState {
  readonly status: TableStatus;
  readonly rowsProcessed: number;
  /** Null until an agent has inspected the table. */
  readonly rowsTotal: number | null;
  readonly bytesProcessed: number;
  readonly bytesTotal: number | null;
}

export const PENDING_TABLE: TableState = {
  status: 'pending',
  rowsProcessed: 0,
  rowsTotal: null,
  bytesProcessed: 0,
  bytesTotal: null,
};

/** The current phase and throughput of the running attempt. */
export interface JobThroughput {
  /** Null for a phase that this version does not know. */
  readonly phase: SyncPhase | null;
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** The estimated time at which all rows will have been copied, in ISO 8601. Null while it is unknown. */
  readonly estimatedEnd: string | null;
  /** The phases of the build of a database, in their order. Absent for other jobs, and for agents of earlier versions. */
  readonly build?: readonly JobBuildPhase[];
}

export interface JobBuildPhase extends Pick<BuildProgress, 'phase' | 'state' | 'done'> {
  readonly total: number | null;
  /** The estimated end of the phase, in ISO 8601. Null unless the phase is running, and while there is no estimate. */
  readonly estimatedEnd: string | null;
}

export interface JobPhase {
  readonly phase: SyncPhase;
  readonly durationMs: number;
}

/** One lease of the job, and the phases that its agent reported. */
export interface JobAttempt {
  /** The epoch of the lease. */
  readonly number: number;
  readonly agentId: string | null;
  /** Instants are in ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Null while the agent holds the lease. */
  readonly outcome: AttemptOutcome | null;
  /** The code of the error that ended the attempt; null if there was none. */
  readonly errorCode: string | null;
  readonly phases: readonly AttemptPhase[];
}

export const ATTEMPT_OUTCOMES = ['completed', 'failed', 'connection_lost', 'returned'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface AttemptPhase {
  readonly phase: SyncPhase;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** The checks that the agent ran before the switch, with names of tables and columns. */
export interface JobVerification {
  readonly checks: readonly VerificationCheck[];
}

export const VERIFICATION_CHECKS = [
  'row_count',
  'preserved_columns',
  'nulled_columns',
  'masked_columns',
  'joins',
  'foreign_keys',
  'sequences',
  // A check that this version does not know.
  'other',
] as const;

export interface VerificationCheck {
  readonly check: (typeof VERIFICATION_CHECKS)[number];
  readonly table: string;
  readonly ok: boolean;
  /** The column of a failed check; null otherwise. */
  readonly column: string | null;
  /** The number of columns, keys or sequences that were checked. Null if the check compared row counts. */
  readonly lookedAt: number | null;
  readonly rows: { readonly source: number; readonly copied: number; readonly target: number } | null;
}

/** A model that the job trained or uses. */
export interface JobModel {
  /** `private/<name>` or `custom/<name>`. */
  readonly name: string;
  /**
   * 64 lower-case hex digits: for a private model, the HMAC of the model's file with the agent's key; for a
   * custom model, the SHA-256 of the model's file.
   */
  readonly hash: string;
}

/** The result of a dry run. */
export interface JobPrediction {
  /** The problems that would make the job fail without `dry_run`. */
  readonly problems: readonly JobError[];
  /** The number of problems, including those that `problems` omits. */
  readonly problemCount: number;
  /** The tables that could be inspected. If `rows` is 0, the table has fewer than ten rows. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** The parts of a job that events change. */
export interface JobProgress {
  readonly state: WorkState;
  readonly tables: readonly TableState[];
  readonly models: readonly JobModel[];
  readonly warnings: readonly WorkWarning[];
  /** Null while no agent works on the job. */
  readonly throughput: JobThroughput | null;
  /** The durations of the phases, in order. Empty until the job has completed. */
  readonly phases: readonly JobPhase[];
  readonly verification: JobVerification | null;
  /** The prediction of a completed dry run. */
  readonly prediction: JobPrediction | null;
  /** Counts of what the target lacks after the job, or after the job of a dry run. Null if no agent has counted it. */
  readonly leftOut: LeftOut | null;
  /** The newest attempts, oldest first; at most MAX_ATTEMPTS of `attempt-history.ts`. */
  readonly attemptHistory: readonly JobAttempt[];
}
