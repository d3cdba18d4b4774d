import type {
  Failure,
  Prediction,
  Received,
  RowCounts,
  SyncWarning,
  TableProgress,
} from '@understudy/sync-job';

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
        readonly warnings: readonly Received<SyncWarning>[];
        readonly phases: readonly { readonly phase: string; readonly durationMs: number }[];
        /** Undefined from an agent that does not verify. */
        readonly verification?: AgentVerification;
      }
    | { readonly type: 'predicted'; readonly prediction: AgentPrediction }
    | { readonly type: 'failed'; readonly failure: AgentFailure };
}

/** The end of a dry run. */
export type AgentPrediction = Received<Omit<Prediction, 'failures'>> & {
  readonly failures: readonly AgentFailure[];
};

export type AgentFailure = Failure & { readonly verification?: AgentVerification };

/** Counts of whole tables, and whether each check holds. */
export interface AgentVerification {
  readonly checks: readonly {
    /** Lower-case name of the VerificationKind. */
    readonly kind: string;
    readonly tableIndex: number;
    readonly columnIndex?: number;
    readonly ok: boolean;
    readonly lookedAt: number;
    readonly rows?: RowCounts;
  }[];
}
