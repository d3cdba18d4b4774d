import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { join } from 'node:path';
import { Piscina } from 'piscina';

import { Configuration } from '../../platform/config/configuration.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { FlowControl } from './flow-control.js';
import { toApiError } from './refusal.js';
import { SPARE_FACTOR, SlotQueue, type Slot } from './slot-queue.js';
import type { TaskLookups } from './task-lookups.js';
import { TaskRun } from './task-run.js';
import type { TaskInput, TaskKind, TaskOutput } from './tasks.js';
import type { WorkerRequest, WorkerResult } from './worker.js';
import type { Chunk } from './write-records.js';

export interface TaskOptions {
  readonly organizationId: string;
  /** True if the task is expected to use its worker for a long time. Default: false. */
  readonly long?: boolean;
  /** Aborted when the caller no longer needs the result. */
  readonly signal?: AbortSignal;
  /** Finds the models and compositions of the organisation. If absent, the task can use only built-in ones. */
  readonly lookups?: TaskLookups;
  /** Receives the chunks that the task sends before its result. */
  readonly receiver?: ChunkReceiver;
}

export interface ChunkReceiver {
  readonly flow: FlowControl;
  /** Called for each chunk before `run` resolves. */
  receive(chunk: Chunk): void;
}

export interface ComputeActivity {
  readonly running: number;
  readonly waiting: number;
  /** Number of generated records since the start of the process. */
  readonly records: number;
}

// Workers run the built JavaScript even if this file runs from source, as in tests. The path works from src/ and dist/.
const WORKER_FILE = join(import.meta.dirname, '../../../dist/data/compute/worker.js');

const SPARE_IDLE_MS = 60_000;
const RETRY_AFTER_S = 2;
/**
 * Time for which tasks may continue to run after a shutdown has begun. Must be shorter than the time limit
 * for the whole shutdown.
 */
const SHUTDOWN_GRACE_MS = 3_000;

/** Runs the tasks of `tasks.ts` in worker threads, so that schemas, rules and models never block the event loop. */
@Injectable()
export class ComputePool implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('generation');
  private readonly options: Configuration['generation'];
  private started: Piscina<WorkerRequest, WorkerResult> | undefined;
  private readonly slots: SlotQueue;
  private readonly runs = new Set<TaskRun>();
  private records = 0;
  private closing = false;

  constructor({ generation }: Configuration) {
    this.options = generation;
    this.slots = new SlotQueue(generation.threads, generation.waiting);
  }

  /** Starts the threads, so that the first task need not wait for them. */
  start(): void {
    void this.pool;
  }

  private get pool(): Piscina<WorkerRequest, WorkerResult> {
    return (this.started ??= this.startThreads());
  }

  private startThreads(): Piscina<WorkerRequest, WorkerResult> {
    const generation = this.options;
    const pool = new Piscina<WorkerRequest, WorkerResult>({
      filename: WORKER_FILE,
      minThreads: generation.threads,
      maxThreads: generation.threads * SPARE_FACTOR,
      idleTimeout: SPARE_IDLE_MS,
      // With Piscina's default, a worker waits for tasks outside of its event loop and never frees the ports
      // that it closed.
      atomics: 'disabled',
      env: {}, // workers need no configuration
      // Piscina first tries `require` for the worker's ES module. Node.js aborts the whole process if a thread is
      // ended while `require` links a module. `import` has no such fault.
      execArgv: ['--no-experimental-require-module'],
      resourceLimits: { maxOldGenerationSizeMb: generation.heapMb },
      recordTiming: false,
    });
    pool.on('error', (error: Error) => this.logger.error({ err: { name: error.name, stack: error.stack } }));
    return pool;
  }

  /**
   * Waits for a slot and runs the task to its end.
   * @throws ApiError with the engine's code if the engine refuses the input; `unavailable` if the queue is
   *   full or no slot becomes free in time. `limit_exceeded` if the request exceeds its time or memory;
   *   `bad_request` if the caller aborted the task.
   */
  async run<K extends TaskKind>(kind: K, input: TaskInput<K>, options: TaskOptions): Promise<TaskOutput<K>> {
    const { signal, receiver, lookups } = options;
    const slot = await this.acquireSlot(options);
    const run = new TaskRun(this.pool, receiver?.flow ?? new FlowControl(), lookups);
    const { wallMs } = this.options;
    const wall = setTimeout(() => run.end(outOfTime(wallMs)), wallMs);
    const abandon = (): void => run.end(abandoned());
    signal?.addEventListener('abort', abandon);
    this.runs.add(run);
    try {
      const result = await run.result({ kind, input }, (chunk) => {
        this.records += chunk.records;
        receiver?.receive(chunk);
      });
      if (result.kind === 'done') return result.output as TaskOutput<K>;
      throw result.kind === 'refused'
        ? toApiError(result.refusal)
        : new Error(`the task ${kind} stopped without a request to stop`);
    } finally {
      clearTimeout(wall);
      signal?.removeEventListener('abort', abandon);
      this.runs.delete(run);
      slot.leave();
    }
  }

  activity(): ComputeActivity {
    return { running: this.slots.running, waiting: this.slots.waiting, records: this.records };
  }

  onModuleDestroy(): void {
    this.closing = true;
    const end = (): void => this.runs.forEach((run) => run.end(busy()));
    setTimeout(end, SHUTDOWN_GRACE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.started?.destroy();
  }

  private async acquireSlot({ organizationId, long = false, signal }: TaskOptions): Promise<Slot> {
    if (signal?.aborted) throw abandoned();
    const slot = this.slots.enter({ organizationId, long });
    if (!slot) throw busy();
    const refusal = await this.refusalWhileWaiting(slot, signal);
    if (!refusal) return slot;
    slot.leave();
    throw refusal;
  }

  private refusalWhileWaiting(slot: Slot, signal?: AbortSignal): Promise<ApiError | undefined> {
    return new Promise((resolve) => {
      const done = (refusal?: ApiError): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
        resolve(refusal);
      };
      const abandon = (): void => done(abandoned());
      const timer = setTimeout(() => done(busy()), this.options.waitMs);
      signal?.addEventListener('abort', abandon);
      void slot.ready.then(() => {
        if (signal?.aborted) abandon();
        else done(this.closing ? busy() : undefined);
      });
    });
  }
}

function busy(): ApiError {
  const message = 'The server is generating too many records at the moment. Try again shortly.';
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_S });
}

function outOfTime(wallMs: number): ApiError {
  return new ApiError(
    'limit_exceeded',
    `The request takes longer than ${wallMs / 1000} s. Request fewer records at a time.`,
  );
}

function abandoned(): ApiError {
  return new ApiError('bad_request', 'The client closed the connection.');
}
