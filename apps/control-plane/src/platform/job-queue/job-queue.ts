import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Queue, Worker, type Job } from 'bullmq';
import { Redis } from 'ioredis';

import { Configuration } from '../config/configuration.js';
import { redisTls } from '../config/service-tls.js';
import { ApiError } from '../http/errors/api-error.js';
import { RepeatedWarning } from '../repeated-warning.js';
import { EndedWorkList, endedWorkOf, type EndedWork, type ListedWork } from './ended-work.js';

export interface QueueTraits {
  /** How many jobs one process runs concurrently. */
  readonly atOnce: number;
  /**
   * How many failed jobs Redis keeps for inspection and retry on the ops page. With 0, a reconciler finds
   * their work again in PostgreSQL.
   */
  readonly keepFailed: number;
  /** How often BullMQ looks for jobs of crashed processes, in milliseconds. */
  readonly stalledMs: number;
}

/** All queues. Webhooks have a separate queue, because their receivers can be slow. */
export const QUEUES = {
  work: { atOnce: 4, keepFailed: 0, stalledMs: 5_000 },
  webhooks: { atOnce: 64, keepFailed: 1_000, stalledMs: 5_000 },
} as const satisfies Record<string, QueueTraits>;

export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

const RESPONSE_TIMEOUT_MS = 5_000;
const CLOSE_WITHIN_MS = 5_000;

/** Redis is unreachable. The jobs that could not be queued are still in PostgreSQL. */
export class QueueAwayError extends ApiError {
  constructor() {
    super('unavailable', 'The service waits for its Redis server. Try again shortly.', {
      retryAfterSeconds: 2,
    });
    this.name = 'QueueAwayError';
  }
}

/**
 * Runs one job. The handler reads the job's data from PostgreSQL by `key`, because the queue contains only
 * ids.
 */
export type WorkHandler = (key: string, context: WorkContext) => Promise<void>;

export interface WorkContext {
  /** True if the job failed before and an operator retried it on the ops page. */
  readonly isManualRetry: boolean;
}

/**
 * The key of a job, optionally with the number of an attempt. Each attempt is a separate job in the queue.
 */
export type Work = string | { readonly key: string; readonly attempt: number };

/**
 * The queues in Redis for background jobs. They can be rebuilt from PostgreSQL, so a loss of Redis data only
 * delays jobs. A queue holds each (topic, key, attempt) at most once.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobQueue.name);
  private readonly handlers = new Map<string, { readonly queue: QueueName; readonly handler: WorkHandler }>();
  private readonly connection: Redis;
  private readonly connections: Redis[];
  /** The queues, for the ops page in this folder. */
  readonly queues: Readonly<Record<QueueName, Queue>>;
  private readonly ended: EndedWorkList;
  private workers: readonly Worker[] = [];
  private readonly warning = new RepeatedWarning(this.logger);

  constructor(configuration: Configuration) {
    // BullMQ stops for good if its first command fails, so connections retry without limit. Callers of `add`
    // get an error immediately; see `withResponse`.
    const { url, outbound } = configuration.redis;
    const options = { maxRetriesPerRequest: null, ...redisTls(url, outbound) };
    const connect = (): Redis => new Redis(url, options);
    this.connection = connect();
    this.connections = [this.connection, ...QUEUE_NAMES.map(connect)];
    for (const connection of this.connections) connection.on('error', (error) => this.logAway(error));
    const queueOf = (name: QueueName) => [name, this.openQueue(name)] as const;
    this.queues = Object.fromEntries(QUEUE_NAMES.map(queueOf)) as Record<QueueName, Queue>;
    this.ended = new EndedWorkList(this.connection, QUEUE_NAMES);
  }

  /**
   * Registers the handler of a topic. Each topic has one handler, registered before the application starts.
   */
  handle(topic: string, handler: WorkHandler, queue: QueueName = 'work'): void {
    this.handlers.set(topic, { queue, handler });
  }

  /** @throws QueueAwayError if Redis is unreachable */
  async add(topic: string, works: readonly Work[]): Promise<void> {
    const jobs = works.map((work) => {
      const { key, attempt } = typeof work === 'string' ? { key: work, attempt: undefined } : work;
      const jobId = `${topic}-${key}${attempt === undefined ? '' : `-${attempt}`}`;
      return { name: topic, data: { key }, opts: { jobId } };
    });
    const queue = this.queues[this.handlers.get(topic)?.queue ?? 'work'];
    await this.withResponse(() => queue.addBulk(jobs));
  }

  /** @throws QueueAwayError if Redis is unreachable */
  async ping(): Promise<void> {
    await this.withResponse(() => this.connection.ping());
  }

  /**
   * Returns how many jobs are waiting or running in all queues.
   * @throws QueueAwayError if Redis is unreachable
   */
  async depth(): Promise<number> {
    const counts = await this.withResponse(() =>
      Promise.all(
        Object.values(this.queues).map((queue) =>
          queue.getJobCounts('wait', 'active', 'delayed', 'prioritized'),
        ),
      ),
    );
    return (counts ?? []).flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Returns the jobs of all queues that ended in the last day, the newest first.
   * @throws QueueAwayError if Redis is unreachable
   */
  async endedWork(now = new Date()): Promise<ListedWork> {
    return (await this.withResponse(() => this.ended.read(now))) ?? { works: [], unreadable: 0 };
  }

  onApplicationBootstrap(): void {
    this.workers = QUEUE_NAMES.flatMap((name, index) => {
      const connection = this.connections[index + 1];
      return connection ? [this.startWorker(name, connection)] : [];
    });
  }

  async onModuleDestroy(): Promise<void> {
    const isAway = this.connections.some(({ status }) => status !== 'ready');
    const closing = Promise.all([
      ...this.workers.map((worker) => worker.close(isAway)),
      ...Object.values(this.queues).map((queue) => queue.close()),
    ]);
    // BullMQ's `close` can wait for Redis without limit, so this race limits the wait. Interrupted jobs are
    // found again in PostgreSQL.
    await Promise.race([
      closing.catch(() => undefined),
      sleep(isAway ? 0 : CLOSE_WITHIN_MS, undefined, { ref: false }),
    ]);
    for (const connection of this.connections) connection.disconnect();
  }

  /**
   * Sends a command to Redis. Fails immediately without a connection, and after `RESPONSE_TIMEOUT_MS` without
   * a response. A command that succeeds after the timeout does no harm, because adding a job twice has the
   * effect of adding it once.
   */
  private async withResponse<T>(send: () => Promise<T> | undefined): Promise<T | undefined> {
    if (this.connection.status !== 'ready') throw new QueueAwayError();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new QueueAwayError()), RESPONSE_TIMEOUT_MS);
    });
    const sent = Promise.resolve(send());
    sent.catch(() => undefined); // the race reports an error, unless it comes after the timeout
    return Promise.race([sent, late]).finally(() => clearTimeout(timer));
  }

  private openQueue(name: QueueName): Queue {
    const { keepFailed } = QUEUES[name];
    const queue = new Queue(name, {
      connection: this.connection,
      skipWaitingForReady: true,
      // A finished job that stays in the queue would prevent adding its key again.
      defaultJobOptions: {
        removeOnComplete: true,
        removeOnFail: keepFailed === 0 ? true : { count: keepFailed },
      },
    });
    queue.on('error', (error) => this.logAway(error));
    return queue;
  }

  private startWorker(name: QueueName, connection: Redis): Worker {
    const { atOnce, stalledMs } = QUEUES[name];
    const worker = new Worker<{ key: string }>(name, (job) => this.run(job), {
      connection,
      concurrency: atOnce,
      lockDuration: Math.max(stalledMs, 10_000),
      stalledInterval: stalledMs,
      // Interrupted work is run again without limit, because PostgreSQL stores whether it is done.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', (error) => this.logAway(error));
    worker.on('completed', (job) => this.record(endedWorkOf(name, job)));
    worker.on('failed', (job, error) => {
      this.logger.warn(`${job?.id ?? 'work'} failed: ${error.name}`);
      if (job) this.record(endedWorkOf(name, job, error));
    });
    return worker;
  }

  /** Adds an entry to the list of ended work. If this fails, the entry is missing, and the work is not affected. */
  private record(work: EndedWork): void {
    this.withResponse(() => this.ended.add(work)).catch((error: Error) => this.logAway(error));
  }

  private async run({ name, data, attemptsMade }: Job<{ key: string }>): Promise<void> {
    const found = this.handlers.get(name);
    if (!found) throw new Error(`no handler for ${name}`);
    // BullMQ stores message and stack of an error, and drivers quote queries in them. Only the error's name
    // is passed on.
    await found.handler(data.key, { isManualRetry: attemptsMade > 0 }).catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.name : 'unknown');
    });
  }

  private logAway(error: Error): void {
    this.warning.warn(`Redis: ${'code' in error ? String(error.code) : error.name}`);
  }
}
