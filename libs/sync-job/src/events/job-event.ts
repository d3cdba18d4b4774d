import type { SyncFailure } from '../failures/failure.js';
import type { Prediction, ProgressReport, SyncJobResult } from './progress.js';

/**
 * An event of an attempt of a sync job. The last one is `completed`, `failed` or, for a dry run, `predicted`. Events
 * contain counts, durations, indexes, hashes and names from catalogs, but no row values.
 */
export type JobEvent =
  | ({ readonly type: 'progress' } & ProgressReport)
  | TrainedModel
  | ({ readonly type: 'completed'; readonly durationMs: number } & SyncJobResult)
  | { readonly type: 'predicted'; readonly prediction: Prediction }
  | FailedJob;

/** A private model that the job has trained. */
export interface TrainedModel {
  readonly type: 'model_trained';
  readonly tableIndex: number;
  readonly columnIndex: number;
  /** The HMAC-SHA-256 of the model's file with the agent's model key, 64 lower-case hex digits. */
  readonly hash: string;
}

interface FailedJob {
  readonly type: 'failed';
  readonly failure: SyncFailure;
  /**
   * Whether another attempt can continue with the rows that this one or an earlier one has staged. Absent if the engine
   * did not run.
   */
  readonly mayContinue?: boolean;
}
