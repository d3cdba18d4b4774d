import { Readable } from 'node:stream';
import {
  archiveOf,
  bytesOf,
  contentOf,
  DESCRIPTION,
  failureOf,
  idsOf,
  storeOf,
  streamOf,
  type MakeStore,
} from './archives.js';

const REFUSED = [
  '',
  '.',
  '..',
  '../a',
  'a/b',
  '/etc/passwd',
  'a\\b',
  'a\0b',
  'a\nb',
  'x'.repeat(300),
  '\ud800',
];

export function describeDrafts(make: MakeStore): void {
  it('refuses ids that are not one component of a path', async () => {
    const store = storeOf(await make());
    for (const name of [...REFUSED, 'a.b', '-a', 'x'.repeat(65)])
      for (const work of [store.begin(name), store.open(name), store.verify(name), store.remove(name)])
        expect([name, await failureOf(work)]).toEqual([name, 'name_invalid']);
  });

  it('refuses file names that are not one component of a path, and accepts all others', async () => {
    const store = storeOf(await make());
    const draft = await store.begin('a');
    for (const name of REFUSED)
      expect([name, await failureOf(draft.write(name, streamOf(bytesOf(1))))]).toEqual([
        name,
        'name_invalid',
      ]);
    const names = ['toc.dat', '…', 'a b', 'CON', '-rf', '.hidden', 'ü'.repeat(127)];
    for (const name of names) await draft.write(name, streamOf(Buffer.from(name)));
    await draft.finish(DESCRIPTION);
    const content = await contentOf(store, 'a');
    expect(Object.entries(content).map(([name, bytes]) => [name, bytes.toString()])).toEqual(
      names.map((name) => [name, name]),
    );
  });

  it('keeps nothing of a file whose source fails, and accepts the file again', async () => {
    const under = await make();
    const store = storeOf(under);
    const draft = await store.begin('a');
    const failing = Readable.from(
      (async function* () {
        yield bytesOf(200_000);
        throw new Error('the dump failed');
      })(),
      { objectMode: false },
    );
    await expect(draft.write('1.dat', failing)).rejects.toThrow('the dump failed');
    expect(await under.keys()).toEqual([]);
    await draft.write('1.dat', streamOf(bytesOf(10)));
    await expect(draft.write('1.dat', streamOf(bytesOf(10)))).rejects.toThrow(RangeError);
    await draft.finish(DESCRIPTION);
    expect(await contentOf(store, 'a')).toEqual({ '1.dat': bytesOf(10) });
  });

  it('reports a source that failed before its slot was free', async () => {
    const store = storeOf(await make());
    const draft = await store.begin('a');
    const failed = streamOf(bytesOf(10));
    failed.destroy(new Error('gone'));
    await expect(draft.write('1.dat', failed)).rejects.toThrow('gone');
    await draft.abort();
  });

  it('keeps nothing when it is aborted while files are being written and others wait', async () => {
    const under = await make();
    const store = storeOf(under);
    const draft = await store.begin('a');
    await draft.write('toc.dat', streamOf(bytesOf(100)));
    const endless = Array.from({ length: 6 }, () => stalled());
    const writes = endless.map((source, index) => draft.write(`${index}.dat`, source));
    const ends = Promise.allSettled(writes);
    await draft.abort();
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    expect(endless.every((source) => source.destroyed)).toBe(true);
    expect(await under.keys()).toEqual([]);
    await archiveOf(store, 'a', {});
  });

  it('stops one file by its signal and continues with the others', async () => {
    const under = await make();
    const store = storeOf(under);
    const draft = await store.begin('a');
    const caller = new AbortController();
    const stopped = draft.write('1.dat', stalled(), { signal: caller.signal });
    const other = draft.write('2.dat', streamOf(bytesOf(100)));
    caller.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    await other;
    await draft.finish(DESCRIPTION);
    expect(await contentOf(store, 'a')).toEqual({ '2.dat': bytesOf(100) });
    expect(await under.keys()).toHaveLength(2);
  });

  it('ends every operation whose signal is aborted', async () => {
    const store = storeOf(await make());
    await archiveOf(store, 'a', { 'toc.dat': bytesOf(10) });
    const signal = AbortSignal.abort(new Error('no more'));
    const archive = await store.open('a');
    const works = [
      () => store.begin('b', { signal }),
      () => store.open('a', { signal }),
      () => store.verify('a', { signal }),
      () => store.sizeOf('a', { signal }),
      () => store.remove('a', { signal }),
      () => store.sweepUnfinished({ olderThan: new Date(), signal }),
      () => store.list({ signal }).next(),
      () => archive.read('toc.dat', { signal }).toArray(),
    ];
    for (const work of works) await expect(work()).rejects.toThrow(/no more|abort/);
    expect(await idsOf(store)).toEqual(['a']);
  });

  it('reads nothing from a source that waits for a slot', async () => {
    const under = await make();
    const store = storeOf(under);
    const draft = await store.begin('a');
    let given = 0;
    const source = new Readable({
      highWaterMark: 65_536,
      read() {
        given += 65_536;
        this.push(given > 64 * 65_536 ? null : bytesOf(65_536));
      },
    });
    // One file is written at a time, so this one waits behind a file that never ends.
    const single = storeOf(under, undefined, undefined, 1);
    const waiting = await single.begin('b');
    const blocked = waiting.write('1.dat', stalled()).catch(() => undefined);
    const behind = waiting.write('2.dat', source).catch(() => undefined);
    await draft.write('1.dat', streamOf(bytesOf(10)));
    expect(given).toBe(0);
    await waiting.abort();
    await Promise.all([blocked, behind]);
    await draft.abort();
  });
}

/** Returns a block and a half, and then stalls. */
function stalled(): Readable {
  let given = false;
  return new Readable({
    read() {
      if (!given) this.push(bytesOf(100_000));
      given = true;
    },
  });
}
