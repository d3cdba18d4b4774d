import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';

import { isRecord } from '../http/dto/read-dto.js';

/** The maximum number of entries that are kept for each queue, and that the ops page shows for all queues. */
export const MAX_ENDED_WORK = 1_000;
const KEPT_MS = 86_400_000;

/** A job of a queue that has ended. It contains ids and names of our code, and no other content. */
export interface EndedWork {
  readonly queue: string;
  /** The key of the job, such as the id of a sync job. */
  readonly id: string;
  /** The topic of the job. */
  readonly kind: string;
  /** The name of the error, or `unknown` if it is not a name. Null if the job completed. */
  readonly failure: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** How often the job was started: more than once after a crash, or after a retry on the ops page. */
  readonly attempts: number;
}

/** The entries of the list that this version can read, and the number of the others. */
export interface ListedWork {
  readonly works: readonly EndedWork[];
  readonly unreadable: number;
}

export function endedWorkOf(queue: string, job: Job<{ key: string }>, error?: Error): EndedWork {
  const { name: kind, data, processedOn, finishedOn, attemptsStarted: attempts } = job;
  const endedAt = new Date(finishedOn ?? Date.now());
  const startedAt = new Date(processedOn ?? endedAt);
  return { queue, id: data.key, kind, failure: error ? nameIn(error) : null, startedAt, endedAt, attempts };
}

/** The handlers' errors have a name as their message. Those of BullMQ have other texts. */
function nameIn({ message }: Error): string {
  return /^\w{1,80}$/.test(message) ? message : 'unknown';
}

/**
 * The list of ended jobs in Redis, for the ops page. Its keys are not those of BullMQ, so a listed job can be
 * added again. It has at most `MAX_ENDED_WORK` entries for each queue, and is deleted after a day without a
 * new one. Entries can be missing, because PostgreSQL has the state of all work.
 */
export class EndedWorkList {
  constructor(
    private readonly redis: Redis,
    private readonly queues: readonly string[],
  ) {}

  /** @throws Error of Redis */
  async add(work: EndedWork): Promise<void> {
    const key = keyOf(work.queue);
    const replies = await this.redis
      .multi()
      .lpush(key, JSON.stringify(work))
      .ltrim(key, 0, MAX_ENDED_WORK - 1)
      .pexpire(key, KEPT_MS)
      .exec();
    for (const [error] of replies ?? []) if (error) throw error;
  }

  /** Returns the jobs that ended in the day before `now`, the newest first. @throws Error of Redis */
  async read(now: Date): Promise<ListedWork> {
    const since = now.getTime() - KEPT_MS;
    const entries = await Promise.all(
      this.queues.map(async (queue) =>
        (await this.redis.lrange(keyOf(queue), 0, MAX_ENDED_WORK - 1)).map(parsed),
      ),
    );
    const lists = entries.map((list) => list.filter((work) => work !== undefined));
    const recent = lists.map((list) => list.filter(({ endedAt }) => endedAt.getTime() > since));
    return {
      works: newestOfEach(recent, MAX_ENDED_WORK),
      unreadable: entries.flat().length - lists.flat().length,
    };
  }
}

/**
 * Returns the newest entries of several lists, at most `limit`, the newest first. A long list does not hide the
 * others: the newest entries of each list, up to an equal share of `limit`, are always included.
 */
export function newestOfEach(lists: readonly (readonly EndedWork[])[], limit: number): readonly EndedWork[] {
  const share = Math.floor(limit / lists.length);
  const sorted = lists.map(newestFirst);
  const kept = sorted.flatMap((list) => list.slice(0, share));
  const others = newestFirst(sorted.flatMap((list) => list.slice(share)));
  return newestFirst([...kept, ...others.slice(0, limit - kept.length)]);
}

function newestFirst(list: readonly EndedWork[]): readonly EndedWork[] {
  return list.toSorted((one, other) => other.endedAt.getTime() - one.endedAt.getTime());
}

function keyOf(queue: string): string {
  return `understudy:ended:${queue}`;
}

/** Returns undefined if the text is not an entry as this version writes it, for example one of a newer version. */
function parsed(text: string): EndedWork | undefined {
  const entry = readJson(text);
  if (!isRecord(entry)) return undefined;
  const { queue, id, kind, failure, attempts } = entry;
  const [startedAt, endedAt] = [dateIn(entry['startedAt']), dateIn(entry['endedAt'])];
  if (typeof queue !== 'string' || typeof id !== 'string' || typeof kind !== 'string') return undefined;
  if ((failure !== null && typeof failure !== 'string') || typeof attempts !== 'number') return undefined;
  return startedAt && endedAt && { queue, id, kind, failure, startedAt, endedAt, attempts };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // counted as unreadable
  }
}

function dateIn(value: unknown): Date | undefined {
  const date = new Date(typeof value === 'string' ? value : NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
