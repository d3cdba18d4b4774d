import { hasBucketServer, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { archiveOf, bytesOf, idsOf, storeOf, type StoreUnderTest } from '../laws/archives.js';
import { bucketUnderTest, makeBucket, optionsOf } from '../laws/bucket-under-test.js';
import { folderUnderTest } from '../laws/folder-under-test.js';
import { killAtCall, killWhenSaid, type Killed } from './kill-program.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');
const CALLS_AT_MOST = 100;
const AT_ONCE = 2;

describe('after a kill -9 of whoever works on a store in a folder', () => {
  it('at any of the calls that change it, there are whole archives, and what is swept', async () => {
    const outcomes: string[] = [];
    for (let call = 1; call < CALLS_AT_MOST; call += AT_ONCE) {
      const calls = Array.from({ length: AT_ONCE }, (_, more) => call + more);
      const ends = await Promise.all(calls.map(killedInFolder));
      outcomes.push(...ends);
      if (ends.includes('done removing')) break;
    }
    // It has been seen at every stage, and to its end.
    expect([...new Set(outcomes)]).toEqual(['begins making', 'begins removing', 'done removing']);
  });
});

async function killedInFolder(call: number): Promise<string> {
  const under = await folderUnderTest();
  await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
  const end = await killAtCall(under.root, call);
  expect(end.killed).toBe(end.said !== 'done removing');
  await isWhole(under, end);
  await under.remove();
  return end.said ?? '';
}

(hasBucketServer() ? describe : describe.skip)(
  'after a kill -9 of whoever works on a store in a bucket',
  () => {
    let server: TestBucketServer;
    beforeAll(async () => {
      server = await startTestBucketServer();
      await makeBucket(server, 'killed');
    });
    afterAll(() => server?.stop());

    it.each(['begins making', 'done making', 'begins removing'])(
      'when it has said “%s”, there are whole archives, and what is swept',
      async (line) => {
        const prefix = `${line.replace(' ', '-')}/`;
        const under = bucketUnderTest(server, 'killed', prefix);
        await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
        const location = { ...optionsOf(server, 'killed'), prefix };
        await isWhole(under, await killWhenSaid(location, 'makeAndRemove', line));
        under.close();
      },
    );

    it('in the middle of a file, its parts are swept', async () => {
      const under = bucketUnderTest(server, 'killed', 'endless/');
      const location = { ...optionsOf(server, 'killed'), prefix: 'endless/' };
      await killWhenSaid(location, 'endless', 'begins a MiB', 24);
      expect(await idsOf(storeOf(under))).toEqual([]);
      expect(await under.uploads()).toBe(1);
      expect(await storeOf(under).sweepUnfinished({ olderThan: FUTURE })).toBe(1);
      expect(await under.uploads()).toBe(0);
      expect(await under.keys()).toEqual([]);
      under.close();
    });
  },
);

/** `a` was there before and is untouched; `b` is there as a whole or not at all, and as it was said; nothing else is after the sweep. */
async function isWhole(under: StoreUnderTest, { said }: Killed): Promise<void> {
  const store = storeOf(under);
  const listed = await idsOf(store);
  if (said === 'done making') expect(listed).toContain('b');
  if (said === 'done removing') expect(listed).not.toContain('b');
  expect(listed).toContain('a');
  for (const id of listed) await store.verify(id);
  await store.sweepUnfinished({ olderThan: FUTURE });
  const keys = await under.keys();
  expect(keys.filter((key) => !key.endsWith('/manifest'))).toHaveLength(listed.length * 3);
  for (const id of listed) await store.verify(id);
  await store.remove('b');
  await archiveOf(store, 'b', { 'toc.dat': bytesOf(10) });
  expect(await idsOf(store)).toEqual(['a', 'b']);
}
