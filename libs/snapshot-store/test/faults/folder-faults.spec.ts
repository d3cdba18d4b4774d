import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itUnless, SmallDisk } from '@understudy/testing';
import { FolderBackend, SnapshotStore, SnapshotStoreError } from '../../src/index.js';
import {
  archiveOf,
  bytesOf,
  contentOf,
  DESCRIPTION,
  digestsOf,
  failureOf,
  idsOf,
  KEY,
  streamOf,
} from '../laws/archives.js';
import { folderUnderTest } from '../laws/folder-under-test.js';

const SECRET_FOLDER = 'a-folder-nobody-should-read-of';

describe('a folder with faults', () => {
  let parent: string;
  let root: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'understudy-store-'));
    root = join(parent, SECRET_FOLDER);
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const storeIn = (folder: string) => new SnapshotStore(new FolderBackend(folder), { key: KEY });
  const everything = (store: SnapshotStore) => [
    () => archiveOf(store, 'a', { 'toc.dat': bytesOf(10) }),
    () => idsOf(store),
    () => store.open('a'),
    () => store.verify('a'),
    () => store.remove('a'),
    () => store.sweepUnfinished({ olderThan: new Date() }),
  ];

  it('fails every operation with store_missing if it does not exist, and is not created', async () => {
    for (const work of everything(storeIn(root))) expect(await failureOf(work())).toBe('store_missing');
    await writeFile(root, 'a file');
    for (const work of everything(storeIn(root))) expect(await failureOf(work())).toBe('store_missing');
  });

  it('does not report its path', async () => {
    const error: unknown = await idsOf(storeIn(root)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'store_missing', details: { reason: 'ENOENT' } });
    const { message, hint, details, cause } = error as SnapshotStoreError;
    expect(JSON.stringify([error, message, hint, details])).not.toContain(SECRET_FOLDER);
    expect(cause).toBeUndefined();
  });

  const whenMounted = itUnless(SmallDisk.whyNotPossible());

  whenMounted(
    'fails with store_full when it is full, and keeps no part of the files that did not fit',
    async () => {
      await mounted(root, 'size=3m', async () => {
        const under = await folderUnderTest(root);
        const store = storeIn(root);
        await archiveOf(store, 'a', { '1.dat': bytesOf(1_000_000) });
        const before = await under.keys();
        const draft = await store.begin('b');
        await draft.write('toc.dat', streamOf(bytesOf(1_000)));
        const large = ['1', '2'].map((name) => failureOf(draft.write(name, streamOf(bytesOf(2_500_000)))));
        expect(await Promise.all(large)).toContain('store_full');
        await draft.abort();
        expect(await under.keys()).toEqual(before);
        expect(await idsOf(store)).toEqual(['a']);
        await store.verify('a');
        // The disk has room again.
        await archiveOf(store, 'b', { '1.dat': bytesOf(1_000_000) });
        expect(digestsOf(await contentOf(store, 'b'))).toEqual(digestsOf({ '1.dat': bytesOf(1_000_000) }));
      });
    },
  );

  whenMounted(
    'fails with store_full when only the manifest does not fit, and has no archive then',
    async () => {
      await mounted(root, 'size=1m', async () => {
        const under = await folderUnderTest(root);
        const store = storeIn(root);
        const draft = await store.begin('a');
        await draft.write('1.dat', streamOf(bytesOf(1_000)));
        const tables = Array.from({ length: 30_000 }, (_, at) => ({
          schema: 'public',
          name: `table ${at}`,
          bytes: 0,
        }));
        expect(await failureOf(draft.finish({ ...DESCRIPTION, tables }))).toBe('store_full');
        expect(await idsOf(store)).toEqual([]);
        await draft.abort();
        expect(await under.keys()).toEqual([]);
      });
    },
  );

  whenMounted('fails writes with store_denied when it is read-only', async () => {
    await mounted(root, 'size=3m', async () => {
      const store = storeIn(root);
      await archiveOf(store, 'a', { '1.dat': bytesOf(10) });
      execFileSync('mount', ['-o', 'remount,ro', root]);
      expect(await failureOf(archiveOf(store, 'b', { '1.dat': bytesOf(10) }))).toBe('store_denied');
      expect(await failureOf(store.remove('a'))).toBe('store_denied');
      await store.verify('a');
    });
  });
});

async function mounted(folder: string, options: string, work: () => Promise<void>): Promise<void> {
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  try {
    await work();
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
}
