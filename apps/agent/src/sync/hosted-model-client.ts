import { setTimeout as pause } from 'node:timers/promises';
import type { Outbound } from '@understudy/outbound';
import { type HostedModel, SyncJobError } from '@understudy/sync-job';
import { type HostedModelSource } from '@understudy/sync-engine';

import { newNonce, signLines } from '../identity/enrolment-client.js';

export interface HostedModelClientOptions {
  readonly outbound: Outbound;
  /** Ends with `/v1`, without a trailing slash. */
  readonly controlUrl: string;
  readonly identity: { readonly agentId: string; readonly natsSeed: string };
  /** Time in milliseconds for which requests are retried if the control plane is unreachable or busy. */
  readonly retryMs?: number;
}

/** A file of a job, which the control plane finds by its hash. */
type HostedFile = Pick<HostedModel, 'hash' | 'byteLength'>;

/** Downloads files of uploaded models from the control plane. Signs its requests with the agent's NATS key. */
export class HostedModelClient implements HostedModelSource {
  constructor(private readonly options: HostedModelClientOptions) {}

  /** Fetches a model, or the tables of a job, by hash. */
  async fetch(jobId: string, model: HostedFile, signal: AbortSignal): Promise<Uint8Array> {
    const until = performance.now() + (this.options.retryMs ?? RETRY_MS);
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, 2 * waitMs)) {
      const file = await this.requestOnce(jobId, model, signal).catch((cause: unknown) => {
        signal.throwIfAborted();
        if (cause instanceof SyncJobError) throw cause;
        if (performance.now() + waitMs < until) return undefined;
        throw new SyncJobError({ code: 'hosted_model_unavailable' }, { cause });
      });
      if (file !== undefined) return file;
      await pause(waitMs, undefined, { signal });
    }
  }

  /**
   * Sends one request.
   * @throws SyncJobError if a retry cannot succeed; any other error if a retry may succeed
   */
  private async requestOnce(
    jobId: string,
    { hash, byteLength }: HostedFile,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const response = await this.options.outbound.fetch(`${this.options.controlUrl}/agents/hosted-models`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.signed(jobId, hash)),
      maxBytes: Infinity, // counted below
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      if (response.status === 404) throw new SyncJobError({ code: 'hosted_model_missing' });
      throw new Error(`the control plane returned status ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      length += chunk.length;
      if (length > byteLength) throw new SyncJobError({ code: 'hosted_model_mismatch' });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  private signed(jobId: string, sha256: string): Record<string, string> {
    const { agentId, natsSeed } = this.options.identity;
    const nonce = newNonce();
    const issuedAt = new Date().toISOString();
    const lines = ['understudy agent hosted model v1', agentId, jobId, sha256, issuedAt, nonce];
    return {
      agent_id: agentId,
      job_id: jobId,
      sha256,
      issued_at: issuedAt,
      nonce,
      signature: signLines(natsSeed, lines),
    };
  }
}

const REQUEST_MS = 60_000;
const RETRY_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
