import type {
  Exchanges,
  FailedResponse,
  StartMessage,
  WorkerResponse,
  WorkerRequest,
} from './worker/messages.js';

/** A request may use the worker for this long, including the time to fetch models. */
export const BUDGET_MS = 10_000;
/** A request that a newer one has replaced may use the worker for this long. */
const REPLACED_BUDGET_MS = 1_000;

/** Requests that a user repeats with each key press. A newer one of the same kind replaces an older one. */
const REPEATED: readonly string[] = [
  'records',
  'composition',
  'distribution',
  'sample-rule',
] satisfies (keyof Exchanges)[];

export type EngineResponse<Answer> =
  | Answer
  | FailedResponse
  /** The request exceeded its budget. The worker was terminated. */
  | { readonly kind: 'timeout' }
  /** A newer request of the same kind replaced this one, or the engine was closed. */
  | { readonly kind: 'replaced' };

interface Job {
  readonly request: WorkerRequest;
  readonly resolve: (response: EngineResponse<WorkerResponse>) => void;
  replaced: boolean;
}

/**
 * Runs requests on one worker, one at a time. A newer request of a kind in `REPEATED` replaces the one of that kind that
 * waits, and the one that runs must end soon. Starts the worker with the first request, and again after it
 * has failed or was terminated.
 */
export class PlaygroundEngine {
  private worker: Worker | undefined;
  private running: Job | undefined;
  private waiting: readonly Job[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param startWorker starts the worker of playground.worker.ts
   * @param models the absolute URL below which the control plane serves the built-in models, ending with a slash
   */
  constructor(
    private readonly startWorker: () => Worker,
    private readonly models: string,
  ) {}

  /** Never rejects. */
  ask<Kind extends keyof Exchanges>(
    request: Exchanges[Kind]['request'] & { readonly kind: Kind },
  ): Promise<EngineResponse<Exchanges[Kind]['response']>> {
    return new Promise((resolve) => {
      if (REPEATED.includes(request.kind)) this.replaceOlder(request.kind);
      const job: Job = { request, resolve: resolve as Job['resolve'], replaced: false };
      this.waiting = [...this.waiting, job];
      this.next();
    });
  }

  /** Terminates the worker. Requests without a response are resolved as replaced. */
  close(): void {
    for (const { resolve } of this.waiting) resolve({ kind: 'replaced' });
    this.waiting = [];
    this.abort({ kind: 'replaced' });
  }

  private replaceOlder(kind: keyof Exchanges): void {
    const isOlder = ({ request }: Job): boolean => request.kind === kind;
    const replaced = this.waiting.filter(isOlder);
    this.waiting = this.waiting.filter((job) => !isOlder(job));
    for (const { resolve } of replaced) resolve({ kind: 'replaced' });
    if (this.running === undefined || !isOlder(this.running) || this.running.replaced) return;
    this.running.replaced = true;
    this.startTimer(REPLACED_BUDGET_MS);
  }

  private next(): void {
    const [job, ...rest] = this.waiting;
    if (job === undefined || this.running !== undefined) return;
    this.waiting = rest;
    this.running = job;
    this.worker ??= this.start();
    this.startTimer(BUDGET_MS);
    this.worker.postMessage(job.request);
  }

  private start(): Worker {
    const worker = this.startWorker();
    worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
      // A browser does not fetch a script again for a worker in which it has failed once.
      if (data.kind === 'failed') this.abort(data);
      else this.finish(data);
    };
    worker.onerror = () => this.abort({ kind: 'failed', cause: 'engine' });
    const start: StartMessage = { kind: 'start', models: this.models };
    worker.postMessage(start);
    return worker;
  }

  private startTimer(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.abort({ kind: 'timeout' }), ms);
  }

  private finish(response: EngineResponse<WorkerResponse>): void {
    const { running } = this;
    clearTimeout(this.timer);
    this.running = undefined;
    running?.resolve(running.replaced ? { kind: 'replaced' } : response);
    this.next();
  }

  private abort(response: EngineResponse<WorkerResponse>): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.finish(response);
  }
}
