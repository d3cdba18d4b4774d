import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { SnapshotStore } from '../../src/index.js';
import {
  archiveOf,
  bytesOf,
  failureOf,
  KEY,
  storeOf,
  type MakeStore,
  type StoreUnderTest,
} from './archives.js';

const FILES = { 'toc.dat': bytesOf(300, 1), '1.dat.gz': bytesOf(70_000, 2), '2.dat.gz': bytesOf(0) };
const MANIFEST = 'manifests/a';

/** Tests that damage is found. @param runs number of random changes; use fewer for a slow backend */
export function describeDamage(make: MakeStore, runs: number): void {
  it('finds every changed byte, by verifying and by reading', async () => {
    const under = await make();
    const store = storeOf(under);
    await archiveOf(store, 'a', FILES);
    const originals = await contents(under);
    const anyByte = fc
      .constantFrom(...originals.keys())
      .chain((key) => fc.tuple(fc.constant(key), fc.nat((originals.get(key)?.length ?? 1) - 1)));
    await fc.assert(
      fc.asyncProperty(anyByte, fc.integer({ min: 1, max: 255 }), async ([key, at], change) => {
        const original = originals.get(key) ?? Buffer.alloc(0);
        const changed = Buffer.from(original);
        changed.writeUInt8(original.readUInt8(at) ^ change, at);
        await under.put(key, changed);
        expect(await failureOf(store.verify('a'))).toMatch(/^archive_damaged (manifest|file_content)$/);
        expect(await failureOf(readAll(store))).toMatch(/^archive_damaged (manifest|file_content)$/);
        await under.put(key, original);
      }),
      { numRuns: runs },
    );
    expect((await store.verify('a')).files).toHaveLength(3);
    await readAll(store);
  });

  it('finds files that were cut, extended, swapped or removed', async () => {
    const under = await make();
    const store = storeOf(under);
    const other = await make();
    await archiveOf(store, 'a', FILES);
    await archiveOf(storeOf(other), 'a', FILES);
    const [mine, theirs] = [await contents(under), await contents(other)];
    const [toc = '', data = ''] = byLength(mine);
    const dataBytes = mine.get(data) ?? Buffer.alloc(0);
    const theirData = theirs.get(byLength(theirs)[1] ?? '') ?? Buffer.alloc(0);
    const cases: (readonly [string, string, Buffer | undefined, string])[] = [
      ['cut by one byte', data, dataBytes.subarray(0, -1), 'file_length'],
      ['cut between blocks', data, dataBytes.subarray(0, 24 + 65_553), 'file_length'],
      ['emptied', data, Buffer.alloc(0), 'file_length'],
      ['lengthened', data, Buffer.concat([dataBytes, Buffer.alloc(1)]), 'file_length'],
      ['swapped within the archive', data, mine.get(toc), 'file_length'],
      ["swapped with another archive's", data, theirData, 'file_content'],
      ['removed', data, undefined, 'file_missing'],
    ];
    for (const [what, key, bytes, damage] of cases) {
      await (bytes === undefined ? under.delete(key) : under.put(key, bytes));
      const found = [what, await failureOf(store.verify('a')), await failureOf(readAll(store))];
      expect(found).toEqual([what, `archive_damaged ${damage}`, `archive_damaged ${damage}`]);
      await under.put(key, mine.get(key) ?? Buffer.alloc(0));
    }
    await store.verify('a');
  });

  it('finds swapped files of equal length within an archive', async () => {
    const under = await make();
    const store = storeOf(under);
    await archiveOf(store, 'a', { one: bytesOf(100, 1), two: bytesOf(100, 2) });
    const [one = '', two = ''] = (await under.keys()).filter((key) => key !== MANIFEST);
    const [first, second] = [await under.get(one), await under.get(two)];
    await under.put(one, second);
    await under.put(two, first);
    expect(await failureOf(store.verify('a'))).toBe('archive_damaged file_content');
    expect(await failureOf(readAll(store))).toBe('archive_damaged file_content');
  });

  it('lists archives that cannot be read, with the reason', async () => {
    const under = await make();
    const store = storeOf(under);
    await archiveOf(store, 'a', FILES);
    await archiveOf(store, 'b', {});
    await archiveOf(storeOf(under, Buffer.alloc(32, 9)), 'c', {});
    const manifest = await under.get(MANIFEST);
    // This manifest is intact and of the same store and key, but of another id.
    await under.put('manifests/d', manifest);
    await under.put(MANIFEST, manifest.subarray(0, -1));
    const listed = [];
    for await (const archive of store.list())
      listed.push([archive.id, 'problem' in archive ? archive.problem : 'ready']);
    expect(listed).toEqual([
      ['a', 'archive_damaged'],
      ['b', 'ready'],
      ['c', 'archive_key_mismatch'],
      ['d', 'archive_damaged'],
    ]);
    for (const work of [store.open('a'), store.verify('a'), store.sizeOf('a')])
      expect(await failureOf(work)).toBe('archive_damaged manifest');
    for (const work of [store.open('c'), store.verify('c'), store.sizeOf('c')])
      expect(await failureOf(work)).toBe('archive_key_mismatch');
    await under.put(MANIFEST, manifest);
    await store.verify('a');
  });

  it('opens archives of an older key, and seals only with the current key', async () => {
    const under = await make();
    await archiveOf(storeOf(under), 'a', FILES);
    const store = storeOf(under, Buffer.alloc(32, 8), [KEY]);
    await readAll(store);
    await archiveOf(store, 'b', {});
    expect(await failureOf(storeOf(under).open('b'))).toBe('archive_key_mismatch');
  });
}

async function readAll(store: SnapshotStore): Promise<void> {
  const archive = await store.open('a');
  for (const { name } of archive.manifest.files) await buffer(archive.read(name));
}

async function contents(under: StoreUnderTest): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const key of await under.keys()) found.set(key, await under.get(key));
  return found;
}

/** @returns keys of files with content, shorter files first */
function byLength(found: ReadonlyMap<string, Buffer>): string[] {
  const files = [...found].filter(([key, bytes]) => key.startsWith('files/') && bytes.length > 100);
  return files.sort(([, a], [, b]) => a.length - b.length).map(([key]) => key);
}
