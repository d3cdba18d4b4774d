import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';

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
  async read(now: Date): Promise<readonly EndedWork[]> {
    const since = now.getTime() - KEPT_MS;
    const lists = this.queues.map(async (queue) => {
      const texts = await this.redis.lrange(keyOf(queue), 0, MAX_ENDED_WORK - 1);
      return texts.map(parsed).filter(({ endedAt }) => endedAt.getTime() > since);
    });
    return newestOfEach(await Promise.all(lists), MAX_ENDED_WORK);
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

function parsed(text: string): EndedWork {
  const work = JSON.parse(text) as EndedWork;
  return { ...work, startedAt: new Date(work.startedAt), endedAt: new Date(work.endedAt) };
}
