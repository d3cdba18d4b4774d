import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type HostedModel, SyncJobError } from '@understudy/sync-job';
import { type HostedModelSource } from '@understudy/sync-engine';

import { signLines } from '../identity/enrolment-client.js';

export interface HostedModelClientOptions {
  /** With `/v1`, without a slash at the end. */
  readonly controlUrl: string;
  readonly identity: { readonly agentId: string; readonly natsSeed: string };
  /** How long a control plane that is away or busy is asked again, in milliseconds. */
  readonly patienceMs?: number;
}

/** Fetches files of uploaded models from the control plane, proved by the agent's NATS key. */
export class HostedModelClient implements HostedModelSource {
  constructor(private readonly options: HostedModelClientOptions) {}

  async fetch(jobId: string, model: HostedModel, signal: AbortSignal): Promise<Uint8Array> {
    const until = performance.now() + (this.options.patienceMs ?? PATIENCE_MS);
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, 2 * waitMs)) {
      const file = await this.ask(jobId, model, signal).catch((cause: unknown) => {
        signal.throwIfAborted();
        if (cause instanceof SyncJobError) throw cause;
        if (performance.now() + waitMs < until) return undefined;
        throw new SyncJobError({ code: 'hosted_model_unavailable' }, { cause });
      });
      if (file !== undefined) return file;
      await pause(waitMs, undefined, { signal });
    }
  }

  /** @throws SyncJobError for what asking again will not mend, another error for the rest */
  private async ask(
    jobId: string,
    { hash, byteLength }: HostedModel,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const response = await fetch(`${this.options.controlUrl}/agents/hosted-models`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.signed(jobId, hash)),
      redirect: 'error', // a redirect could lead to a host that was never checked
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      if (response.status === 404) throw new SyncJobError({ code: 'hosted_model_missing' });
      throw new Error(`the control plane answered ${response.status}`);
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
    const nonce = randomBytes(16).toString('base64url');
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
const PATIENCE_MS = 60_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
