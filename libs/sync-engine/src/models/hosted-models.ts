import { type HostedModel, SyncJobError } from '@understudy/sync-job';
import type { HostedModelCache } from './hosted-model-cache.js';
import { contentHash } from './model-store.js';

/** Where files of uploaded models come from. */
export interface HostedModelSource {
  /**
   * @returns at most `byteLength` bytes, and not to be trusted
   * @throws SyncJobError hosted_model_missing, hosted_model_mismatch for a longer file, hosted_model_unavailable
   */
  fetch(jobId: string, model: HostedModel, signal: AbortSignal): Promise<Uint8Array>;
}

/** Files of uploaded models: from the disk, else from the control plane; in both cases worth their hash and nothing else. */
export class HostedModels {
  constructor(
    private readonly cache: HostedModelCache,
    private readonly source: HostedModelSource,
  ) {}

  /** The files of a job's models by their ids. @throws SyncJobError as the source does, hosted_model_mismatch */
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
