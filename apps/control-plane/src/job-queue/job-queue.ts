import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Queue, Worker, type Job } from 'bullmq';
import { Redis } from 'ioredis';

import { Configuration } from '../config/configuration.js';

/** What a queue needs to know beyond its name. */
export interface QueueTraits {
  /** Pieces of work that one process runs at once. */
  readonly atOnce: number;
  /** How many failed pieces stay, for somebody to look at and to retry; 0: what failed is found again in Postgres. */
  readonly keepFailed: number;
  /** How long work that was cut off with its process keeps its place. */
  readonly stalledMs: number;
}

/** Every queue there is. Receivers of webhooks are slow at will, so they do not share one with the jobs. */
export const QUEUES = {
  work: { atOnce: 4, keepFailed: 0, stalledMs: 5_000 },
  webhooks: { atOnce: 64, keepFailed: 1_000, stalledMs: 5_000 },
} as const satisfies Record<string, QueueTraits>;

export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

const ANSWER_WITHIN_MS = 5_000;
const CLOSE_WITHIN_MS = 5_000;

/** Redis is away; what was to be queued stays in Postgres. */
export class QueueAwayError extends Error {
  readonly code = 'job_queue.away';

  constructor() {
    super('Redis does not answer');
    this.name = 'QueueAwayError';
  }
}

/** Runs one piece of work. What it needs is read from Postgres by its key: the queue holds ids only. */
export type WorkHandler = (key: string, context: WorkContext) => Promise<void>;

export interface WorkContext {
  /** It failed before, and somebody asked on the ops page to run it again. */
  readonly isManualRetry: boolean;
}

/** A key, or a key and the number of the attempt: another attempt is another piece of work. */
export type Work = string | { readonly key: string; readonly attempt: number };

/**
 * Background work on Redis. Everything in it can be rebuilt from Postgres: losing Redis loses time, not work. The same
 * (topic, key, attempt) waits in it once.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobQueue.name);
  private readonly handlers = new Map<string, { readonly queue: QueueName; readonly handler: WorkHandler }>();
  private readonly connection: Redis;
  private readonly connections: Redis[];
  /** For bull-board, which lives in this folder too. */
  readonly queues: Readonly<Record<QueueName, Queue>>;
  private workers: readonly Worker[] = [];
  private lastLoggedAt = 0;

  constructor(configuration: Configuration) {
    // BullMQ gives up for good when its first command fails, so all wait for ever; who adds is told at once, below.
    const connect = (): Redis => new Redis(configuration.redis.url, { maxRetriesPerRequest: null });
    this.connection = connect();
    this.connections = [this.connection, ...QUEUE_NAMES.map(connect)];
    for (const connection of this.connections) connection.on('error', (error) => this.logAway(error));
    const queueOf = (name: QueueName) => [name, this.openQueue(name)] as const;
    this.queues = Object.fromEntries(QUEUE_NAMES.map(queueOf)) as Record<QueueName, Queue>;
  }

  /** One handler a topic, registered before the application has started. */
  handle(topic: string, handler: WorkHandler, queue: QueueName = 'work'): void {
    this.handlers.set(topic, { queue, handler });
  }

  /** @throws when Redis is away */
  async add(topic: string, works: readonly Work[]): Promise<void> {
    const jobs = works.map((work) => {
      const { key, attempt } = typeof work === 'string' ? { key: work, attempt: undefined } : work;
      const jobId = `${topic}-${key}${attempt === undefined ? '' : `-${attempt}`}`;
      return { name: topic, data: { key }, opts: { jobId } };
    });
    const queue = this.queues[this.handlers.get(topic)?.queue ?? 'work'];
    await this.answered(() => queue.addBulk(jobs));
  }

  /** @throws when Redis is away */
  async ping(): Promise<void> {
    await this.answered(() => this.connection.ping());
  }

  /** How many wait or run, in all queues. @throws when Redis is away */
  async depth(): Promise<number> {
    const counts = await this.answered(() =>
      Promise.all(
        Object.values(this.queues).map((queue) =>
          queue.getJobCounts('wait', 'active', 'delayed', 'prioritized'),
        ),
      ),
    );
    return (counts ?? []).flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
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
    // BullMQ waits for Redis for ever. Work that is cut off is found again in Postgres.
    await Promise.race([
      closing.catch(() => undefined),
      sleep(isAway ? 0 : CLOSE_WITHIN_MS, undefined, { ref: false }),
    ]);
    for (const connection of this.connections) connection.disconnect();
  }

  /** Redis commands wait for a connection; callers here do not. A late answer changes nothing: adding twice is adding once. */
  private async answered<T>(ask: () => Promise<T> | undefined): Promise<T | undefined> {
    if (this.connection.status !== 'ready') throw new QueueAwayError();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new QueueAwayError()), ANSWER_WITHIN_MS);
    });
    const asked = Promise.resolve(ask());
    asked.catch(() => undefined); // told by the race, unless the answer came too late for it
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  private openQueue(name: QueueName): Queue {
    const { keepFailed } = QUEUES[name];
    const queue = new Queue(name, {
      connection: this.connection,
      skipWaitingForReady: true,
      // A finished job that stayed would make adding its key again do nothing.
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
      // Work that was cut off is run again as often as that happens: Postgres says whether it is done.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', (error) => this.logAway(error));
    worker.on('failed', (job, error) => this.logger.warn(`${job?.id ?? 'work'} failed: ${error.name}`));
    return worker;
  }

  private async run({ name, data, attemptsMade }: Job<{ key: string }>): Promise<void> {
    const found = this.handlers.get(name);
    if (!found) throw new Error(`no handler for ${name}`);
    // BullMQ keeps message and stack of what it catches, and drivers quote queries in theirs: only the name goes on.
    await found.handler(data.key, { isManualRetry: attemptsMade > 0 }).catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.name : 'unknown');
    });
  }

  /** Once in ten seconds is enough to say that Redis is away. */
  private logAway(error: Error): void {
    const now = Date.now();
    if (now - this.lastLoggedAt < 10_000) return;
    this.lastLoggedAt = now;
    this.logger.warn(`Redis: ${'code' in error ? String(error.code) : error.name}`);
  }
}
