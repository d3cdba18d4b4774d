/** What an agent reported of a sync job, after protobuf. Indexes point into the job's own tables and columns. */
export interface SyncJobEvent {
  readonly jobId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly occurredAt: Date;
  readonly body:
    | { readonly type: 'started' }
    | {
        readonly type: 'progress';
        readonly tables: readonly TableProgress[];
        /** Lower-case name of the SyncPhase; undefined when this side does not know it. */
        readonly phase?: string;
        readonly rowsPerSecond: number;
        readonly bytesPerSecond: number;
        readonly remainingMs?: number;
      }
    | {
        readonly type: 'model_trained';
        readonly tableIndex: number;
        readonly columnIndex: number;
        /** 64 lower-case hex digits. */
        readonly hash: string;
      }
    | {
        readonly type: 'completed';
        readonly tables: readonly TableProgress[];
        readonly durationMs: number;
        readonly warnings: readonly AgentWarning[];
        readonly phases: readonly { readonly phase: string; readonly durationMs: number }[];
        /** Undefined from an agent that does not verify. */
        readonly verification?: AgentVerification;
      }
    | { readonly type: 'predicted'; readonly prediction: AgentPrediction }
    | { readonly type: 'failed'; readonly failure: AgentFailure };
}

/** The end of a dry run. */
export interface AgentPrediction {
  readonly failures: readonly AgentFailure[];
  /** Those beyond the list too. */
  readonly failureCount: number;
  /** 0 rows stand for fewer than ten. */
  readonly tables: readonly { readonly tableIndex: number; readonly rows: number }[];
  readonly warnings: readonly AgentWarning[];
}

export interface AgentWarning {
  readonly code: string;
  readonly tableIndex?: number;
  readonly columnIndex?: number;
}

export interface TableProgress {
  readonly tableIndex: number;
  readonly rowsProcessed: number;
  readonly rowsTotal: number;
  readonly bytesProcessed: number;
  readonly bytesTotal: number;
  readonly state: TableStatus;
}

export const TABLE_STATUSES = ['pending', 'copying', 'indexing', 'verifying', 'completed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

/** Counts of whole tables, and yes or no. */
export interface AgentVerification {
  readonly checks: readonly {
    /** Lower-case name of the VerificationKind. */
    readonly kind: string;
    readonly tableIndex: number;
    readonly columnIndex?: number;
    readonly ok: boolean;
    readonly lookedAt: number;
    readonly rows?: { readonly source: number; readonly copied: number; readonly target: number };
  }[];
}

export interface AgentFailure {
  /** Lower-case name of the FailureCode: `connection_failed`, `constraint_violation`, … */
  readonly code: string;
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  readonly constraintKind?: string;
  readonly sqlstate?: string;
  readonly verification?: AgentVerification;
  /** What the checks before the first row found, when that is more than the above says. */
  readonly problems?: readonly AgentProblem[];
  /** Those beyond the list too. */
  readonly problemCount?: number;
}

/** One thing that stands in a job's way. Names are identifiers of the databases' catalogs. */
export interface AgentProblem {
  readonly code: string;
  readonly side?: 'source' | 'target';
  readonly tableIndex?: number;
  readonly columnIndex?: number;
  readonly constraintKind?: string;
  /** When the command does not list the column. */
  readonly column?: string;
  readonly constraint?: string;
  /** Lower-case name of the ColumnDifference. */
  readonly difference?: string;
  readonly sourceType?: AgentColumnType;
  readonly targetType?: AgentColumnType;
  readonly privilege?: AgentPrivilege;
}

export interface AgentColumnType {
  readonly name?: string;
  readonly length?: number;
}

/** What the role of a connection lacks: lower-case names of the contract's enums, on the problem's table unless another is named. */
export interface AgentPrivilege {
  readonly privilege: string;
  readonly objectKind: string;
  readonly schema?: string;
  readonly object?: string;
  readonly role?: string;
  readonly owner?: string;
}
