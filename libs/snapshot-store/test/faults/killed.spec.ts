import { hasBucketServer, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { archiveOf, bytesOf, idsOf, storeOf } from '../laws/archives.js';
import { bucketUnderTest, makeBucket, optionsOf } from '../laws/bucket-under-test.js';
import { folderUnderTest } from '../laws/folder-under-test.js';
import type { StoreUnderTest } from '../laws/store-under-test.js';
import { killProgram } from './kill-program.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');
const MOMENTS = [1, 2, 5, 9, 14];

describe('after a kill -9 of whoever works on a store in a folder', () => {
  it.each(MOMENTS)(
    'while it makes archive %d, there are whole archives, and what is swept',
    async (moment) => {
      const under = await folderUnderTest();
      const done = await killProgram(under.root, 'make', moment);
      const listed = await allWhole(under);
      expect(listed).toEqual(expect.arrayContaining(done));
      await nothingBut(listed, under);
      await under.remove();
    },
  );

  it.each(MOMENTS)(
    'while it removes archive %d, there are whole archives, and what is swept',
    async (moment) => {
      const under = await folderUnderTest();
      const done = await killProgram(under.root, 'remove', moment);
      const listed = await allWhole(under);
      expect(listed.filter((id) => done.includes(id))).toEqual([]);
      await nothingBut(listed, under);
      // What was half removed may be made again.
      for (let index = 0; index < moment; index += 1) {
        const id = `snap_${String(index).padStart(4, '0')}`;
        if (!listed.includes(id)) await archiveOf(storeOf(under), id, { 'toc.dat': bytesOf(10) });
      }
      await allWhole(under);
      await under.remove();
    },
  );
});

(hasBucketServer() ? describe : describe.skip)(
  'after a kill -9 of whoever works on a store in a bucket',
  () => {
    let server: TestBucketServer;
    beforeAll(async () => {
      server = await startTestBucketServer();
      await makeBucket(server, 'killed');
    });
    afterAll(() => server?.stop());

    it.each(['make', 'remove'] as const)('while it is to %s archives, there are whole ones', async (task) => {
      const under = bucketUnderTest(server, 'killed', `${task}/`);
      const place = { ...optionsOf(server, 'killed'), prefix: `${task}/` };
      const done = await killProgram(place, task, 2);
      const listed = await allWhole(under);
      expect(done.every((id) => listed.includes(id) === (task === 'make'))).toBe(true);
      await nothingBut(listed, under);
      under.close();
    });

    it('in the middle of a file, its parts are swept', async () => {
      const under = bucketUnderTest(server, 'killed', 'endless/');
      await killProgram({ ...optionsOf(server, 'killed'), prefix: 'endless/' }, 'endless', 24);
      expect(await idsOf(storeOf(under))).toEqual([]);
      expect(await under.uploads()).toBe(1);
      expect(await storeOf(under).sweepUnfinished({ olderThan: FUTURE })).toBe(1);
      expect(await under.uploads()).toBe(0);
      expect(await under.keys()).toEqual([]);
      under.close();
    });
  },
);

/** @returns the ids that are listed, every one of which verifies */
async function allWhole(under: StoreUnderTest): Promise<string[]> {
  const store = storeOf(under);
  const listed = await idsOf(store);
  for (const id of listed) await store.verify(id);
  return listed;
}

/** Two files and a manifest each, after the sweep. */
async function nothingBut(listed: readonly string[], under: StoreUnderTest): Promise<void> {
  await storeOf(under).sweepUnfinished({ olderThan: FUTURE });
  const keys = await under.keys();
  expect(keys.filter((key) => !key.endsWith('/manifest'))).toHaveLength(listed.length * 3);
  expect(await allWhole(under)).toEqual(listed);
}
