import { storedBytesOf } from '../../src/index.js';
import {
  archiveOf,
  bytesOf,
  contentOf,
  DESCRIPTION,
  digestsOf,
  idsOf,
  storeOf,
  streamOf,
} from './archives.js';
import type { MakeStore } from './store-under-test.js';

const BLOCK = 65_536;
const SIZES = [0, 1, 17, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 1_500_000];

/** What holds of a store whatever place it is in. */
export function describeStore(make: MakeStore): void {
  it('gives back every file as it was written, at every size around the borders of blocks', async () => {
    const store = storeOf(await make());
    const files = Object.fromEntries(SIZES.map((size) => [`${size}.dat`, bytesOf(size, size)]));
    const manifest = await archiveOf(store, 'snap_1', files);
    expect(digestsOf(await contentOf(store, 'snap_1'))).toEqual(digestsOf(files));
    expect(await store.verify('snap_1')).toEqual(manifest);
    expect(manifest).toMatchObject({ id: 'snap_1', ...DESCRIPTION });
    expect(await store.sizeOf('snap_1')).toBe(storedBytesOf(manifest));
  });

  it('lists archives that were finished, sorted, and no others', async () => {
    const store = storeOf(await make());
    const manifests = [];
    for (const id of ['b', 'a', 'a-1', 'C'])
      manifests.push(await archiveOf(store, id, { 'toc.dat': bytesOf(10) }));
    const draft = await store.begin('unfinished');
    await draft.write('toc.dat', streamOf(bytesOf(100)));
    expect(await idsOf(store)).toEqual(['C', 'a', 'a-1', 'b']);
    const listed = [];
    for await (const archive of store.list({ after: 'a' })) listed.push(archive);
    expect(listed).toEqual(
      [manifests[2], manifests[0]].map((manifest) => ({ id: manifest?.id, manifest, storedBytes: 51 })),
    );
    await draft.abort();
  });
}
