import { ConnectionError, JobFailedError, RateLimitError, ServerError, TimeoutError } from './errors.js';
import { JobsResource } from './generated/resources.js';
import type { SyncJob } from './generated/types.js';
import { readNumber } from './transport/configuration.js';
import type { CallOptions } from './transport/request.js';
import { runtime } from './transport/runtime.js';

/** Options of `jobs.wait`. */
export interface WaitOptions {
  /** Called with the job after each response, also with the last one. Only the last one has the lists of tables. */
  readonly onProgress?: ((job: SyncJob) => void) | undefined;
  /** The longest time to wait in seconds. By default, there is none. */
  readonly timeout?: number | undefined;
  /** Ends the wait. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_INTERVAL = 1;
const INTERVAL_GROWTH = 1.5;
const LONGEST_INTERVAL = 5;
/** The time for which errors of the server and the connection may last, in seconds. */
const LONGEST_OUTAGE = 300;

/** Sync jobs: copies of databases with masked values. */
export class Jobs extends JobsResource {
  /**
   * Waits until a job has ended. Requests the job after 1 s, and then at intervals that grow to 5 s.
   * Errors of the server and the connection end the wait only after they have lasted for 5 minutes.
   *
   * @returns the completed job
   * @throws JobFailedError if the job failed
   * @throws TimeoutError if the job has not ended after `timeout`
   */
  async wait(id: string, { onProgress, timeout, signal }: WaitOptions = {}): Promise<SyncJob> {
    const end = runtime.now() + readNumber('timeout', timeout, Infinity, Infinity) * 1000;
    const outage = new Outage();
    for (let interval = FIRST_INTERVAL; ; interval = Math.min(LONGEST_INTERVAL, interval * INTERVAL_GROWTH)) {
      const left = (end - runtime.now()) / 1000;
      if (left <= 0)
        throw new TimeoutError(`the job ${id} has not ended within ${timeout} s`, undefined, undefined);
      await runtime.sleep(Math.min(left, Math.max(interval, outage.retryAfter)), signal);
      const job = await this.#read(id, { signal }).catch((error: unknown) => outage.add(error));
      if (job === undefined) continue;
      outage.end();
      onProgress?.(job);
      if (job.status === 'completed') return job;
      if (job.status === 'failed') throw new JobFailedError(job);
    }
  }

  /** Reads the job with its tables if it has ended, and without them before. */
  async #read(id: string, options: CallOptions): Promise<SyncJob> {
    const job = await this.get(id, { tables: 'none' }, options);
    return job.status === 'completed' || job.status === 'failed' ? await this.get(id, {}, options) : job;
  }
}

/** The errors since the last response with the job. */
class Outage {
  /** The time that the server asked to wait, in seconds. */
  retryAfter = 0;
  #since: number | undefined;

  /** @throws the error if it is not temporary, or if the errors have lasted too long */
  add(error: unknown): undefined {
    this.#since ??= runtime.now();
    const isTemporary =
      error instanceof ConnectionError || error instanceof RateLimitError || error instanceof ServerError;
    if (!isTemporary || runtime.now() - this.#since >= LONGEST_OUTAGE * 1000) throw error;
    const wait = error instanceof RateLimitError ? (error.retryAfter ?? 0) : 0;
    this.retryAfter = Math.min(wait, LONGEST_OUTAGE);
  }

  end(): void {
    this.#since = undefined;
    this.retryAfter = 0;
  }
}
