import type {
  HostedModel,
  SyncPhase,
  TableRules,
  TableStatus,
  TableSubset,
  UnlistedColumns,
} from '@understudy/sync-job';
import type { AcceptedComposition } from '../agent-link/messages/sync-job-command.js';
import type { WorkWarning } from '../agent-work/choice/waiting-warnings.js';
import type { JobError, WorkState } from '../agent-work/leases/work-state.js';

/** What a job asks for, as accepted; events name tables and columns by their index here. */
export interface JobDefinition {
  readonly tables: readonly JobTable[];
  readonly unlistedColumns: UnlistedColumns;
  /** Checks alone; absent means no. */
  readonly dryRun?: boolean;
  /** Uploaded models as they were when the job was accepted; absent in jobs of earlier versions. */
  readonly hostedModels?: readonly HostedModel[];
  /** Registered compositions likewise. */
  readonly compositions?: readonly AcceptedComposition[];
}

export interface JobTable extends TableRules {
  readonly subset?: JobSubset;
}

/** Its condition is for the agent and never shown again. */
export interface JobSubset extends TableSubset {
  /** The columns that it names, as they first appear: agents speak of them by index. */
  readonly whereColumns?: readonly string[];
}

export interface TableState {
  readonly status: TableStatus;
  readonly rowsProcessed: number;
  /** Null until an agent has looked at the table. */
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

/** What the attempt under way does now, and how fast. */
export interface JobThroughput {
  /** Null when this version does not know what the agent says. */
  readonly phase: SyncPhase | null;
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** When all rows will be copied at this rate. ISO 8601; null while it is unknown. */
  readonly estimatedEnd: string | null;
}

export interface JobPhase {
  readonly phase: SyncPhase;
  readonly durationMs: number;
}

/** What the agent looked at before it switched the target, by name. */
export interface JobVerification {
  readonly checks: readonly VerificationCheck[];
}

export interface VerificationCheck {
  /** One of VERIFICATION_CHECKS. */
  readonly check: string;
  readonly table: string;
  readonly ok: boolean;
  /** Of a failed check of one column. */
  readonly column: string | null;
  /** How many columns, keys or sequences; null where rows were counted. */
  readonly lookedAt: number | null;
  readonly rows: { readonly source: number; readonly copied: number; readonly target: number } | null;
}

/** A model that a job trained or was given. */
export interface JobModel {
  /** `private/<name>` or `custom/<name>`. */
  readonly name: string;
  /** 64 lower-case hex digits: keyed by the agent of a private model, the file's SHA-256 of a custom one. */
  readonly hash: string;
}

/** What a dry run has found. */
export interface JobPrediction {
  /** What a run would fail with. */
  readonly problems: readonly JobError[];
  /** Those beyond the list too. */
  readonly problemCount: number;
  /** Of tables that could be looked at; 0 rows stand for fewer than ten. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** All of a job that events change. */
export interface JobProgress {
  readonly state: WorkState;
  readonly tables: readonly TableState[];
  readonly models: readonly JobModel[];
  readonly warnings: readonly WorkWarning[];
  /** Null while nobody works on it. */
  readonly throughput: JobThroughput | null;
  /** How long each phase took, in their order; empty until it completed. */
  readonly phases: readonly JobPhase[];
  readonly verification: JobVerification | null;
  /** Of a dry run that completed. */
  readonly prediction: JobPrediction | null;
}
