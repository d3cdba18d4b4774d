import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

import { Configuration } from '../config/configuration.js';

export const QUEUE_NAME = 'work';

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
export type WorkHandler = (key: string) => Promise<void>;

/**
 * Background work on Redis. Everything in it can be rebuilt from Postgres: losing Redis loses time, not work. The same
 * (topic, key) waits in it once.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JobQueue.name);
  private readonly handlers = new Map<string, WorkHandler>();
  private readonly connections: Redis[];
  /** For bull-board, which lives in this folder too. */
  readonly queue: Queue;
  private worker: Worker | undefined;
  private lastNote = 0;

  constructor(configuration: Configuration) {
    // BullMQ gives up for good when its first command fails, so both wait for ever; who adds is told at once, below.
    const connect = (): Redis => new Redis(configuration.redis.url, { maxRetriesPerRequest: null });
    const forAdding = connect();
    this.connections = [forAdding, connect()];
    for (const connection of this.connections) connection.on('error', (error) => this.noteAway(error));
    this.queue = new Queue(QUEUE_NAME, {
      connection: forAdding,
      skipWaitingForReady: true,
      // A finished job that stayed would make adding its key again do nothing.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queue.on('error', (error) => this.noteAway(error));
  }

  /** One handler a topic, registered before the application has started. */
  handle(topic: string, handler: WorkHandler): void {
    this.handlers.set(topic, handler);
  }

  /** @throws when Redis is away */
  async add(topic: string, keys: readonly string[]): Promise<void> {
    const jobs = keys.map((key) => ({ name: topic, data: { key }, opts: { jobId: `${topic}-${key}` } }));
    await this.answered(() => this.queue.addBulk(jobs));
  }

  /** @throws when Redis is away */
  async ping(): Promise<void> {
    await this.answered(() => this.connections[0]?.ping());
  }

  /** How many wait or run. @throws when Redis is away */
  async depth(): Promise<number> {
    const counts = await this.answered(() =>
      this.queue.getJobCounts('wait', 'active', 'delayed', 'prioritized'),
    );
    return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  }

  onApplicationBootstrap(): void {
    const [, connection] = this.connections;
    if (!connection) return;
    this.worker = new Worker<{ key: string }>(QUEUE_NAME, (job) => this.run(job.name, job.data.key), {
      connection,
      concurrency: 4,
    });
    this.worker.on('error', (error) => this.noteAway(error));
    this.worker.on('failed', (job, error) => this.logger.warn(`${job?.id ?? 'work'} failed: ${error.name}`));
  }

  async onModuleDestroy(): Promise<void> {
    const isAway = this.connections.some(({ status }) => status !== 'ready');
    const closing = Promise.all([this.worker?.close(isAway), this.queue.close()]);
    // BullMQ waits for Redis for ever. Work that is cut off is found again in Postgres.
    await Promise.race([
      closing.catch(() => undefined),
      sleep(isAway ? 0 : CLOSE_WITHIN_MS, undefined, { ref: false }),
    ]);
    for (const connection of this.connections) connection.disconnect();
  }

  /** Redis commands wait for a connection; callers here do not. A late answer changes nothing: adding twice is adding once. */
  private async answered<T>(ask: () => Promise<T> | undefined): Promise<T | undefined> {
    if (this.connections[0]?.status !== 'ready') throw new QueueAwayError();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new QueueAwayError()), ANSWER_WITHIN_MS);
    });
    const asked = Promise.resolve(ask());
    asked.catch(() => undefined); // told by the race, unless the answer came too late for it
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  private async run(topic: string, key: string): Promise<void> {
    const handler = this.handlers.get(topic);
    if (!handler) throw new Error(`no handler for ${topic}`);
    // BullMQ keeps message and stack of what it catches, and drivers quote queries in theirs: only the name goes on.
    await handler(key).catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.name : 'unknown');
    });
  }

  /** Once in ten seconds is enough to say that Redis is away. */
  private noteAway(error: Error): void {
    const now = Date.now();
    if (now - this.lastNote < 10_000) return;
    this.lastNote = now;
    this.logger.warn(`Redis: ${'code' in error ? String(error.code) : error.name}`);
  }
}
