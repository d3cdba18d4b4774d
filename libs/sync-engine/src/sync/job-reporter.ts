import type { Prediction, ProgressReport, SyncFailure, SyncJobResult } from '@understudy/sync-job';

/**
 * The only way out for a job: counts, indexes and hashes. Each call journals one event before it returns;
 * delivery to the control plane goes on in the background until it is acknowledged.
 */
export interface JobReporter {
  started(): Promise<void>;
  progress(report: ProgressReport): Promise<void>;
  /** @param hash 32 bytes, HMAC-SHA-256 of the model's file under the agent's model key */
  modelTrained(tableIndex: number, columnIndex: number, hash: Uint8Array): Promise<void>;
  completed(result: SyncJobResult & { readonly durationMs: number }): Promise<void>;
  /** The end of a dry run. */
  predicted(prediction: Prediction): Promise<void>;
  failed(failure: SyncFailure): Promise<void>;
  /** Resolves when the control plane has everything up to the end: completed or failed. */
  readonly confirmed: Promise<void>;
}
