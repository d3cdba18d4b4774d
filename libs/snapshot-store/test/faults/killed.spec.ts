import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { archiveOf, bytesOf, idsOf, storeOf, type StoreUnderTest } from '../laws/archives.js';
import { bucketUnderTest, makeBucket, optionsOf } from '../laws/bucket-under-test.js';
import { folderUnderTest } from '../laws/folder-under-test.js';
import { killAtCall, killAtLine, type Killed } from './kill-program.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');
const CALLS_AT_MOST = 100;
const AT_ONCE = 2;

describe('a store in a folder whose process is killed with SIGKILL', () => {
  it('has only whole archives and files that can be swept, at each call that changes the folder', async () => {
    const outcomes: string[] = [];
    for (let call = 1; call < CALLS_AT_MOST; call += AT_ONCE) {
      const calls = Array.from({ length: AT_ONCE }, (_, more) => call + more);
      const ends = await Promise.all(calls.map(killedInFolder));
      outcomes.push(...ends);
      if (ends.includes('done removing')) break;
    }
    // Processes were killed in every stage, and one reached its end.
    expect([...new Set(outcomes)]).toEqual(['begins writing', 'begins removing', 'done removing']);
  });
});

async function killedInFolder(call: number): Promise<string> {
  const under = await folderUnderTest();
  await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
  const end = await killAtCall(under.root, call);
  expect(end.killed).toBe(end.lastLine !== 'done removing');
  await isWhole(under, end);
  await under.remove();
  return end.lastLine ?? '';
}

describeWith('a store in a bucket whose process is killed with SIGKILL', 'swift', () => {
  let server: TestBucketServer;
  beforeAll(async () => {
    server = await startTestBucketServer();
    await makeBucket(server, 'killed');
  });
  afterAll(() => server?.stop());

  it.each(['begins writing', 'done writing', 'begins removing'])(
    'has only whole archives and files that can be swept after “%s”',
    async (line) => {
      const prefix = `${line.replace(' ', '-')}/`;
      const under = bucketUnderTest(server, 'killed', prefix);
      await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
      const location = { ...optionsOf(server, 'killed'), prefix };
      await isWhole(under, await killAtLine(location, 'makeAndRemove', line));
      under.close();
    },
  );

  it('sweeps the parts of an unfinished file', async () => {
    const under = bucketUnderTest(server, 'killed', 'endless/');
    const location = { ...optionsOf(server, 'killed'), prefix: 'endless/' };
    await killAtLine(location, 'endless', 'begins a MiB', 24);
    expect(await idsOf(storeOf(under))).toEqual([]);
    expect(await under.uploads()).toBe(1);
    expect(await storeOf(under).sweepUnfinished({ olderThan: FUTURE })).toBe(1);
    expect(await under.uploads()).toBe(0);
    expect(await under.keys()).toEqual([]);
    under.close();
  });
});

/**
 * Checks that `a` still exists, and that `b` exists completely or not at all. If `lastLine` is
 * `done writing`, `b` must exist. If it is `done removing`, `b` must not exist. A sweep must remove all other
 * files.
 */
async function isWhole(under: StoreUnderTest, { lastLine }: Killed): Promise<void> {
  const store = storeOf(under);
  const listed = await idsOf(store);
  if (lastLine === 'done writing') expect(listed).toContain('b');
  if (lastLine === 'done removing') expect(listed).not.toContain('b');
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
