import { archiveOf, bytesOf, idsOf, storeOf, type StoreUnderTest } from '../laws/archives.js';
import { folderUnderTest } from '../laws/folder-under-test.js';
import { killAtCall, type Killed } from './kill-program.js';

const FUTURE = new Date('2999-01-01T00:00:00Z');
const MAX_CALLS = 100;
const AT_ONCE = 2;

/** Kills a process at every n-th call that changes the folder, until a process reaches its end. */
export function describeKillsInFolder(every: number): void {
  describe('a store in a folder whose process is killed with SIGKILL', () => {
    it('has only whole archives and files that can be swept, at calls that change the folder', async () => {
      const outcomes: string[] = [];
      for (let call = 1; call < MAX_CALLS; call += AT_ONCE * every) {
        const calls = Array.from({ length: AT_ONCE }, (_, more) => call + more * every);
        const ends = await Promise.all(calls.map(killedInFolder));
        outcomes.push(...ends);
        if (ends.includes('done removing')) break;
      }
      // Processes were killed in every stage, and one reached its end.
      expect([...new Set(outcomes)]).toEqual(['begins writing', 'begins removing', 'done removing']);
    });
  });
}

async function killedInFolder(call: number): Promise<string> {
  const under = await folderUnderTest();
  await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10), '1.dat': bytesOf(10) });
  const end = await killAtCall(under.root, call);
  expect(end.killed).toBe(end.lastLine !== 'done removing');
  await isWhole(under, end);
  await under.remove();
  return end.lastLine ?? '';
}

/**
 * Checks that `a` still exists, and that `b` exists completely or not at all. If `lastLine` is
 * `done writing`, `b` must exist. If it is `done removing`, `b` must not exist. A sweep must remove all other
 * files.
 */
export async function isWhole(under: StoreUnderTest, { lastLine }: Killed): Promise<void> {
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
