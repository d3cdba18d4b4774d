import { type HostedModel, SyncJobError } from '@understudy/sync-job';
import type { HostedModelCache } from './hosted-model-cache.js';
import { contentHash } from './model-store.js';

/** The origin of the files of uploaded models, such as the control plane. */
export interface HostedModelSource {
  /**
   * Fetches the file of a model.
   * @returns at most `byteLength` bytes; the caller must check their hash
   * @throws SyncJobError hosted_model_missing, hosted_model_unavailable, or hosted_model_mismatch for a
   * longer file
   */
  fetch(jobId: string, model: HostedModel, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * Provides the files of uploaded models. Fetches a file from its source if the cache does not have it, and
 * checks the hash of every file.
 */
export class HostedModels {
  constructor(
    private readonly cache: HostedModelCache,
    private readonly source: HostedModelSource,
  ) {}

  /**
   * Returns the files of a job's models, by model id.
   * @throws SyncJobError hosted_model_mismatch for a fetched file whose hash differs from the hash in
   * `models` · the errors of the source
   */
  async files(
    jobId: string,
    models: readonly HostedModel[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>();
    for (const model of models) {
      signal.throwIfAborted();
      files.set(model.id, (await this.cache.read(model.hash)) ?? (await this.fetch(jobId, model, signal)));
    }
    return files;
  }

  private async fetch(jobId: string, model: HostedModel, signal: AbortSignal): Promise<Uint8Array> {
    const file = await this.source.fetch(jobId, model, signal);
    if (contentHash(file) !== model.hash) throw new SyncJobError({ code: 'hosted_model_mismatch' });
    await this.cache.write(model.hash, file);
    return file;
  }
}
