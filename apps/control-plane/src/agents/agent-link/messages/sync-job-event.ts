import type {
  Failure,
  LeftOut,
  Prediction,
  Received,
  RowCounts,
  SyncWarning,
  TableProgress,
} from '@understudy/sync-job';

/** A decoded event about a sync job. `tableIndex` and `columnIndex` are positions in the job's definition. */
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
        /** Lower-case name of the SyncPhase; undefined if the control plane does not know it. */
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
        /** Undefined if the agent's version does not verify copies. */
        readonly verification?: AgentVerification;
        readonly leftOut?: LeftOut;
      }
    | { readonly type: 'predicted'; readonly prediction: AgentPrediction }
    | { readonly type: 'failed'; readonly failure: AgentFailure };
}

/** The result of a dry run. */
export type AgentPrediction = Received<Omit<Prediction, 'failures'>> & {
  readonly failures: readonly AgentFailure[];
};

export type AgentFailure = Failure & { readonly verification?: AgentVerification };

/** The result of each check after a copy. Row counts refer to whole tables. */
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
