import { sharedTestServices, waitFor, type SharedTestServices } from '@understudy/testing';
import { Redis } from 'ioredis';

import type { Configuration } from '../../../src/platform/config/configuration.js';
import type { EndedWork } from '../../../src/platform/job-queue/ended-work.js';
import { JobQueue, type WorkHandler } from '../../../src/platform/job-queue/job-queue.js';

const TOPICS = { work: 'test.work', webhooks: 'test.webhooks' } as const;
const VALUE = 'ada@example.com in public.customers';

let services: SharedTestServices;
let redis: Redis;
const open: JobQueue[] = [];

beforeAll(async () => {
  services = await sharedTestServices();
  redis = new Redis(services.redisUrl);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.onModuleDestroy()));
  await redis.flushall();
});
afterAll(async () => {
  redis?.disconnect();
  await services?.stop();
});

/** Opens the queues as a process does. Without a handler, the process runs no work. */
async function openQueue(handler?: WorkHandler): Promise<JobQueue> {
  const queue = new JobQueue({ redis: { url: services.redisUrl } } as Configuration);
  open.push(queue);
  if (handler) {
    queue.handle(TOPICS.work, handler);
    queue.handle(TOPICS.webhooks, handler, 'webhooks');
    queue.onApplicationBootstrap();
  }
  await waitFor('a connection to Redis', () =>
    queue.ping().then(
      () => true,
      () => false,
    ),
  );
  return queue;
}

/** Waits until the list has `count` entries with this key. */
function listed(queue: JobQueue, id: string, count = 1): Promise<readonly EndedWork[]> {
  return waitFor(`${count} entries of ${id}`, async () => {
    const found = (await queue.endedWork()).works.filter((work) => work.id === id);
    return found.length === count && found;
  });
}

describe('the list of ended work', () => {
  it('has the ended work of both queues, with the name of an error and without its text', async () => {
    const queue = await openQueue(async (key) => {
      if (key.startsWith('bad')) throw Object.assign(new Error(VALUE), { name: 'RefusedError' });
    });
    const before = Date.now();
    for (const [name, topic] of Object.entries(TOPICS)) {
      await queue.add(topic, [`good_${name}`, { key: `bad_${name}`, attempt: 3 }]);
      for (const [id, failure] of [
        [`good_${name}`, null],
        [`bad_${name}`, 'RefusedError'],
      ] as const) {
        const [work] = await listed(queue, id);
        expect(work).toEqual({
          ...{ queue: name, id, kind: topic, failure, attempts: 1 },
          ...{ startedAt: expect.any(Date), endedAt: expect.any(Date) },
        });
        // A clock that is set may go back, so only the minute is compared.
        const { startedAt, endedAt } = work as EndedWork;
        for (const time of [startedAt, endedAt])
          expect(Math.abs(time.getTime() - before)).toBeLessThan(60_000);
      }
    }
    for (const key of await redis.keys('understudy:ended:*'))
      expect((await redis.lrange(key, 0, -1)).join('\n')).not.toContain(VALUE);
  });

  it('does not keep an ended key from being added again while its entry is shown', async () => {
    let isBroken = true;
    let runs = 0;
    const queue = await openQueue(async () => {
      runs += 1;
      if (isBroken) throw new Error('broken');
    });
    await queue.add(TOPICS.work, ['job_1']);
    await listed(queue, 'job_1');
    isBroken = false;
    for (let count = 2; count <= 4; count += 1) {
      await queue.add(TOPICS.work, ['job_1']);
      await listed(queue, 'job_1', count);
    }
    const { works: entries } = await queue.endedWork();
    expect([runs, ...entries.map(({ failure }) => failure)]).toEqual([4, null, null, null, 'Error']);
    await queue.add(TOPICS.webhooks, ['delivery_1']);
    await listed(queue, 'delivery_1');
    await queue.add(TOPICS.webhooks, ['delivery_1']);
    await listed(queue, 'delivery_1', 2);
  });

  it('is shared by all processes, and survives their restart', async () => {
    const first = await openQueue(async () => undefined);
    await first.add(TOPICS.work, ['job_1', 'job_2']);
    await listed(first, 'job_2');
    await listed(first, 'job_1');
    open.splice(open.indexOf(first), 1);
    await first.onModuleDestroy();
    const second = await openQueue(async () => undefined);
    await second.add(TOPICS.work, ['job_3']);
    await listed(second, 'job_3');
    const reader = await openQueue();
    expect((await reader.endedWork()).works.map(({ id }) => id).sort()).toEqual(['job_1', 'job_2', 'job_3']);
  });

  it('counts the attempts of work that an operator retried, and has an entry for each', async () => {
    let isBroken = true;
    const queue = await openQueue(async () => {
      if (isBroken) throw new Error('broken');
    });
    await queue.add(TOPICS.webhooks, ['delivery_1']);
    await listed(queue, 'delivery_1');
    isBroken = false;
    await (await queue.queues.webhooks.getJob(`${TOPICS.webhooks}-delivery_1`))?.retry('failed');
    const entries = await listed(queue, 'delivery_1', 2);
    expect(entries.map(({ failure, attempts }) => [failure, attempts])).toEqual([
      [null, 2],
      ['Error', 1],
    ]);
  });

  it('has at most 1,000 entries, and many of one queue do not hide those of the other', async () => {
    const queue = await openQueue(async () => undefined);
    await queue.add(TOPICS.work, ['job_1']);
    await listed(queue, 'job_1');
    const ids = Array.from({ length: 1_100 }, (_, index) => `delivery_${index}`);
    await queue.add(TOPICS.webhooks, ids);
    await waitFor('the end of all deliveries', async () => (await queue.depth()) === 0);
    await queue.add(TOPICS.webhooks, ['last']);
    await listed(queue, 'last');
    const { works: entries } = await queue.endedWork();
    expect(entries).toHaveLength(1_000);
    expect(entries[0]?.id).toBe('last');
    expect(entries.filter((work) => work.queue === 'work').map(({ id }) => id)).toEqual(['job_1']);
    expect(await redis.llen('understudy:ended:webhooks')).toBe(1_000);
  });

  it('has no work that ended more than a day ago, and is deleted after a day without work', async () => {
    const queue = await openQueue(async () => undefined);
    await queue.add(TOPICS.work, ['job_1']);
    const [work] = await listed(queue, 'job_1');
    const end = (work as EndedWork).endedAt.getTime();
    expect((await queue.endedWork(new Date(end + 86_399_999))).works).toHaveLength(1);
    expect((await queue.endedWork(new Date(end + 86_400_000))).works).toEqual([]);
    const leftMs = await redis.pttl('understudy:ended:work');
    expect(leftMs > 0 && leftMs <= 86_400_000).toBe(true);
  });

  it('shows the other entries if a newer version has written some', async () => {
    const queue = await openQueue(async () => undefined);
    await queue.add(TOPICS.work, ['job_1']);
    await listed(queue, 'job_1');
    await redis.lpush('understudy:ended:work', JSON.stringify({ version: 2, key: 'job_2' }), 'not JSON');
    expect(await queue.endedWork()).toMatchObject({ works: [{ id: 'job_1' }], unreadable: 2 });
  });

  it('loses an entry that cannot be stored, but not the work', async () => {
    const ran: string[] = [];
    const queue = await openQueue(async (key) => void ran.push(key));
    await redis.set('understudy:ended:work', 'not a list');
    await queue.add(TOPICS.work, ['job_1']);
    await waitFor('the work', async () => ran.length === 1 && (await queue.depth()) === 0);
    await redis.del('understudy:ended:work');
    await queue.add(TOPICS.work, ['job_1', 'job_2']);
    await listed(queue, 'job_2');
    await listed(queue, 'job_1');
    expect(ran.sort()).toEqual(['job_1', 'job_1', 'job_2']);
  });
});
