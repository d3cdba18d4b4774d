import fc from 'fast-check';

import type { Redis } from 'ioredis';

import { EndedWorkList, newestOfEach, type EndedWork } from './ended-work.js';

const workOf = (queue: string) =>
  fc.integer({ min: 0, max: 50 }).map((end): EndedWork => ({
    ...{ queue, id: 'job_1', kind: 'test', failure: null, attempts: 1 },
    startedAt: new Date(0),
    endedAt: new Date(end),
  }));
const lists = fc.tuple(...['work', 'webhooks'].map((queue) => fc.array(workOf(queue), { maxLength: 30 })));
const endOf = ({ endedAt }: EndedWork): number => endedAt.getTime();
const endsOf = (list: readonly EndedWork[]): number[] => list.map(endOf).sort((one, other) => other - one);

it('returns at most the limit, the newest first, and of each list at least the newest up to its share', () => {
  fc.assert(
    fc.property(lists, fc.integer({ min: 2, max: 40 }), (given, limit) => {
      const returned = newestOfEach(given, limit);
      expect(returned).toHaveLength(Math.min(limit, given.flat().length));
      expect(returned.map(endOf)).toEqual(endsOf(returned));
      for (const list of given) {
        const ofList = returned.filter((work) => list.includes(work));
        expect(ofList.length).toBeGreaterThanOrEqual(Math.min(list.length, Math.floor(limit / given.length)));
        expect(endsOf(ofList)).toEqual(endsOf(list).slice(0, ofList.length));
      }
    }),
  );
});

it('reads the entries of this version, and counts all others', async () => {
  const entry = { queue: 'work', id: 'job_1', kind: 'test', failure: null, attempts: 1 };
  const times = { startedAt: new Date(0), endedAt: new Date(1) };
  const readable = JSON.stringify({ ...entry, ...times });
  const changed = fc
    .tuple(
      fc.constantFrom(...Object.keys({ ...entry, ...times })),
      fc.constantFrom(undefined, {}, true, 'a'.repeat(3)),
    )
    .filter(([field, value]) => typeof value !== 'string' || field.endsWith('At') || field === 'attempts')
    .map(([field, value]) => JSON.stringify({ ...entry, ...times, [field]: value }));
  const others = fc.array(fc.oneof(changed, fc.json(), fc.string()));
  await fc.assert(
    fc.asyncProperty(others, async (unreadable) => {
      const redis = { lrange: async () => [...unreadable, readable] } as unknown as Redis;
      expect(await new EndedWorkList(redis, ['work']).read(new Date(2))).toEqual({
        works: [{ ...entry, ...times }],
        unreadable: unreadable.length,
      });
    }),
  );
});
