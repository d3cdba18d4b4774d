import { storedBytesOf } from '../../src/index.js';
import {
  archiveOf,
  bytesOf,
  contentOf,
  DESCRIPTION,
  digestsOf,
  failureOf,
  idsOf,
  storeOf,
  streamOf,
  type MakeStore,
} from './archives.js';

const BLOCK = 65_536;
const SIZES = [0, 1, 17, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 1_500_000];
const FUTURE = new Date('2999-01-01T00:00:00Z');
const PAST = new Date('2001-01-01T00:00:00Z');

/**
 * Tests that apply to a store with any backend.
 * @param manyFiles number of files to write concurrently; use fewer for a slow backend
 */
export function describeStore(make: MakeStore, manyFiles: number): void {
  it('returns every file unchanged, for lengths around the block size', async () => {
    const store = storeOf(await make());
    const files = Object.fromEntries(SIZES.map((size) => [`${size}.dat`, bytesOf(size, size)]));
    const manifest = await archiveOf(store, 'snap_1', files);
    expect(digestsOf(await contentOf(store, 'snap_1'))).toEqual(digestsOf(files));
    const seen: number[] = [];
    const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number }) => {
      seen.push(bytes / totalBytes);
    };
    expect(await store.verify('snap_1', { onProgress })).toEqual(manifest);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(manifest).toMatchObject({ id: 'snap_1', ...DESCRIPTION });
    expect(await store.sizeOf('snap_1')).toBe(storedBytesOf(manifest));
  });

  it('lists only finished archives, sorted', async () => {
    const under = await make();
    const store = storeOf(under);
    const manifests = [];
    for (const id of ['b', 'a', 'a-1', 'C'])
      manifests.push(await archiveOf(store, id, { 'toc.dat': bytesOf(10) }));
    const draft = await store.begin('unfinished');
    await draft.write('toc.dat', streamOf(bytesOf(100)));
    await under.put('manifests/not an id', bytesOf(10));
    expect(await idsOf(store)).toEqual(['C', 'a', 'a-1', 'b']);
    const listed = [];
    for await (const archive of store.list({ after: 'a' })) listed.push(archive);
    expect(listed).toEqual(
      [manifests[2], manifests[0]].map((manifest) => ({ id: manifest?.id, manifest, storedBytes: 51 })),
    );
    expect(await failureOf(store.open('unfinished'))).toBe('archive_not_found');
    await draft.abort();
  });

  it('has no archives, files or ids when it is empty', async () => {
    const store = storeOf(await make());
    expect(await idsOf(store)).toEqual([]);
    for (const work of [store.open('a'), store.verify('a'), store.sizeOf('a')])
      expect(await failureOf(work)).toBe('archive_not_found');
    await store.remove('a');
    expect(await store.sweepUnfinished({ olderThan: FUTURE })).toBe(0);
  });

  it('has at most one archive of an id', async () => {
    const store = storeOf(await make());
    const draft = await store.begin('a');
    expect(await failureOf(store.begin('a'))).toBe('archive_exists');
    await draft.write('toc.dat', streamOf(bytesOf(1)));
    await draft.finish(DESCRIPTION);
    expect(await failureOf(store.begin('a'))).toBe('archive_exists');
  });

  it('lets only one of two agents create the same archive, and the other removes only its own files', async () => {
    const under = await make();
    const [one, other] = [storeOf(under), storeOf(under)];
    const [first, second] = [await one.begin('a'), await other.begin('a')];
    await first.write('toc.dat', streamOf(bytesOf(1000, 1)));
    await second.write('toc.dat', streamOf(bytesOf(1000, 2)));
    await first.finish(DESCRIPTION);
    expect(await failureOf(second.finish(DESCRIPTION))).toBe('archive_exists');
    await second.abort();
    expect(await contentOf(other, 'a')).toEqual({ 'toc.dat': bytesOf(1000, 1) });
    expect(await under.keys()).toHaveLength(2);
  });

  it('removes all files of an archive, and can repeat that', async () => {
    const under = await make();
    const store = storeOf(under);
    await archiveOf(store, 'a', { 'toc.dat': bytesOf(10), '1.dat.gz': bytesOf(10) });
    await archiveOf(store, 'a-1', { 'toc.dat': bytesOf(10) });
    await store.remove('a');
    await store.remove('a');
    expect(await idsOf(store)).toEqual(['a-1']);
    expect(await under.keys()).toHaveLength(2);
    await archiveOf(store, 'a', { 'toc.dat': bytesOf(20) });
    expect(await contentOf(store, 'a')).toEqual({ 'toc.dat': bytesOf(20) });
  });

  it('removes damaged archives, archives of another key and drafts', async () => {
    const under = await make();
    await archiveOf(storeOf(under), 'a', { 'toc.dat': bytesOf(10) });
    await archiveOf(storeOf(under, Buffer.alloc(32, 1)), 'b', { 'toc.dat': bytesOf(10) });
    await under.put('manifests/a', bytesOf(3));
    const store = storeOf(under);
    const draft = await store.begin('c');
    await draft.write('toc.dat', streamOf(bytesOf(10)));
    for (const id of ['a', 'b', 'c']) await store.remove(id);
    expect(await under.keys()).toEqual([]);
    await expect(draft.finish(DESCRIPTION)).rejects.toThrow(RangeError);
  });

  it('sweeps unfinished files, but no archives or drafts', async () => {
    const under = await make();
    const gone = storeOf(under);
    for (const id of ['a', 'b', 'lost'])
      await (await gone.begin(id)).write('toc.dat', streamOf(bytesOf(100)));
    const store = storeOf(under);
    const manifest = await archiveOf(store, 'a', { 'toc.dat': bytesOf(10) });
    const draft = await store.begin('b');
    await draft.write('toc.dat', streamOf(bytesOf(10)));
    await archiveOf(store, 'damaged', { 'toc.dat': bytesOf(10) });
    await under.put('manifests/damaged', bytesOf(3));

    expect(await store.sweepUnfinished({ olderThan: PAST })).toBe(0);
    expect(await store.sweepUnfinished({ olderThan: FUTURE, except: new Set(['lost']) })).toBe(2);
    expect(await store.sweepUnfinished({ olderThan: FUTURE })).toBe(1);
    expect(await store.sweepUnfinished({ olderThan: FUTURE })).toBe(0);
    await draft.finish(DESCRIPTION);
    expect(await store.verify('a')).toEqual(manifest);
    expect(await contentOf(store, 'b')).toEqual({ 'toc.dat': bytesOf(10) });
    expect((await under.keys()).filter((key) => key.startsWith('files/'))).toHaveLength(3);
  });

  it('lists the ids of all archives, including damaged and partly removed ones', async () => {
    const under = await make();
    for (const id of ['s-1', 's-2', 'other-1']) await archiveOf(storeOf(under), id, {});
    await under.put('manifests/s-2', bytesOf(3));
    await (await storeOf(under).begin('s-3')).write('toc.dat', streamOf(bytesOf(10)));
    const ids: string[] = [];
    for await (const id of storeOf(under).ids('s-')) ids.push(id);
    expect(ids.sort()).toEqual(['s-1', 's-2', 's-3']);
  });

  it('refuses to finish an archive that lacks a file', async () => {
    const under = await make();
    const store = storeOf(under);
    const draft = await store.begin('a');
    await draft.write('toc.dat', streamOf(bytesOf(10)));
    for (const key of await under.keys()) await under.delete(key);
    expect(await failureOf(draft.finish(DESCRIPTION))).toBe('archive_damaged file_missing');
    await draft.abort();
    expect(await idsOf(store)).toEqual([]);
  });

  it('stores many files concurrently, and an archive without files', async () => {
    const store = storeOf(await make());
    const names = Array.from({ length: manyFiles }, (_, index) => `${index}.dat.gz`);
    const files = Object.fromEntries(names.map((name, index) => [name, bytesOf(index * 997, index)]));
    await archiveOf(store, 'many', files);
    expect(digestsOf(await contentOf(store, 'many'))).toEqual(digestsOf(files));
    await archiveOf(store, 'none', {});
    expect(await contentOf(store, 'none')).toEqual({});
    expect(await store.sizeOf('none')).toBe(0);
  });
}
