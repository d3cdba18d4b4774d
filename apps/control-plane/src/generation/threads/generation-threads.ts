import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { join } from 'node:path';
import { Piscina } from 'piscina';

import { Configuration, type GenerationConfiguration } from '../../config/configuration.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { FlowControl } from './flow-control.js';
import type { TaskLookups } from './task-questions.js';
import { TaskRun } from './task-run.js';
import type { Chunk, ThreadRequest, ThreadResult, ThreadTask } from './thread-task.js';
import { SPARE_FACTOR, TurnQueue, type Ticket, type Turn } from './turn-queue.js';

export interface ThreadUse extends Turn {
  readonly flow: FlowControl;
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal;
  /** Called for all chunks before `run` resolves. */
  readonly onChunk: (chunk: Chunk) => void;
  /** Finds what the organisation has of its own. Without it there is nothing. */
  readonly lookups?: TaskLookups;
}

export interface GenerationActivity {
  readonly running: number;
  readonly waiting: number;
  /** Since the start of the process. */
  readonly records: number;
}

// A thread runs built JavaScript even where this file is run from its source, as tests do; the path fits src/ and dist/.
const THREAD_FILE = join(import.meta.dirname, '../../../dist/generation/threads/thread-entry.js');

const SPARE_IDLE_MS = 60_000;
const RETRY_AFTER_S = 2;
/** Less than the process has to stop. */
const SHUTDOWN_GRACE_MS = 3_000;

/** Worker threads for everything that a schema or a rule has a say in: the event loop stays free of it. */
@Injectable()
export class GenerationThreads implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('generation');
  private readonly options: GenerationConfiguration;
  private readonly pool: Piscina<ThreadRequest, ThreadResult>;
  private readonly turns: TurnQueue;
  private readonly runs = new Set<TaskRun>();
  private records = 0;
  private closing = false;

  constructor({ generation }: Configuration) {
    this.options = generation;
    this.turns = new TurnQueue(generation.threads, generation.waiting);
    this.pool = new Piscina({
      filename: THREAD_FILE,
      minThreads: generation.threads,
      maxThreads: generation.threads * SPARE_FACTOR,
      idleTimeout: SPARE_IDLE_MS,
      // With its default a thread waits for tasks outside of its event loop, and never frees the ports it has closed.
      atomics: 'disabled',
      env: {}, // nothing of the configuration is of any use there
      resourceLimits: { maxOldGenerationSizeMb: generation.heapMb },
      recordTiming: false,
    });
    this.pool.on('error', (error: Error) =>
      this.logger.error({ err: { name: error.name, stack: error.stack } }),
    );
  }

  /**
   * Waits for a turn, then runs the task to its end.
   * @throws ApiError `unavailable` when there is no turn to be had, `limit_exceeded` when the time or the memory of a
   *   request is used up, `bad_request` when the signal was aborted
   */
  async run(task: ThreadTask, use: ThreadUse): Promise<ThreadResult> {
    const ticket = await this.turn(use);
    const run = new TaskRun(this.pool, use.flow, use.lookups);
    const { wallMs } = this.options;
    const wall = setTimeout(() => run.end(outOfTime(wallMs)), wallMs);
    const abandon = (): void => run.end(abandoned());
    use.signal.addEventListener('abort', abandon);
    this.runs.add(run);
    try {
      return await run.result(task, (chunk) => {
        this.records += chunk.records;
        use.onChunk(chunk);
      });
    } finally {
      clearTimeout(wall);
      use.signal.removeEventListener('abort', abandon);
      this.runs.delete(run);
      ticket.leave();
    }
  }

  activity(): GenerationActivity {
    return { running: this.turns.running, waiting: this.turns.waiting, records: this.records };
  }

  onModuleDestroy(): void {
    this.closing = true;
    const end = (): void => this.runs.forEach((run) => run.end(busy()));
    setTimeout(end, SHUTDOWN_GRACE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  private async turn({ organizationId, long, signal }: ThreadUse): Promise<Ticket> {
    if (signal.aborted) throw abandoned();
    const ticket = this.turns.enter({ organizationId, long });
    if (!ticket) throw busy();
    const refusal = await this.refusalWhileWaiting(ticket, signal);
    if (!refusal) return ticket;
    ticket.leave();
    throw refusal;
  }

  private refusalWhileWaiting(ticket: Ticket, signal: AbortSignal): Promise<ApiError | undefined> {
    return new Promise((resolve) => {
      const done = (refusal?: ApiError): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        resolve(refusal);
      };
      const abandon = (): void => done(abandoned());
      const timer = setTimeout(() => done(busy()), this.options.waitMs);
      signal.addEventListener('abort', abandon);
      void ticket.ready.then(() => {
        if (signal.aborted) abandon();
        else done(this.closing ? busy() : undefined);
      });
    });
  }
}

function busy(): ApiError {
  const message = 'Too much is being generated at the moment. Try again shortly.';
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_S });
}

function outOfTime(wallMs: number): ApiError {
  return new ApiError('limit_exceeded', `This takes longer than ${wallMs / 1000} s. Ask for less at a time.`);
}

function abandoned(): ApiError {
  return new ApiError('bad_request', 'The client has gone.');
}
