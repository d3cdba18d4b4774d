import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { hasBucketServer, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { BucketBackend, type BucketOptions } from '../../src/storage/bucket/backend.js';
import { SnapshotStore, SnapshotStoreError } from '../../src/index.js';
import {
  archiveOf,
  bytesOf,
  contentOf,
  DESCRIPTION,
  digestsOf,
  failureOf,
  idsOf,
  KEY,
  storeOf,
  streamOf,
} from '../laws/archives.js';
import { bucketUnderTest, makeBucket, optionsOf } from '../laws/bucket-under-test.js';
import { startFaultyProxy, type Fate, type FaultyProxy } from './faulty-proxy.js';

const MIB = 2 ** 20;

(hasBucketServer() ? describe : describe.skip)('a bucket that makes trouble', () => {
  let server: TestBucketServer;
  const proxies: FaultyProxy[] = [];
  beforeAll(async () => {
    server = await startTestBucketServer();
    await makeBucket(server, 'faults');
  });
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
  });
  afterAll(() => server?.stop());

  const storeWith = (changes: Partial<BucketOptions>, prefix = 'a/b/') =>
    new SnapshotStore(new BucketBackend({ ...optionsOf(server, 'faults'), prefix, ...changes }), {
      key: KEY,
    });
  const storeBehind = async (prefix: string, fateOf: (request: string) => Fate, maxAttempts = 3) => {
    const proxy = await startFaultyProxy(server.endpoint, fateOf);
    proxies.push(proxy);
    return { proxy, store: storeWith({ endpoint: proxy.url, maxAttempts }, prefix) };
  };
  const everything = (store: SnapshotStore) => [
    () => store.begin('a'),
    () => idsOf(store),
    () => store.open('a'),
    () => store.verify('a'),
    () => store.remove('a'),
    () => store.sweepUnfinished({ olderThan: new Date() }),
  ];

  it.each([
    ['store_missing', { bucket: 'another' }],
    ['store_denied', { credentials: { accessKeyId: 'test:owner', secretAccessKey: 'wrong' } }],
    ['store_denied', { credentials: { accessKeyId: 'test:nobody', secretAccessKey: 'wrong' } }],
    ['store_unreachable', { endpoint: 'http://127.0.0.1:1', maxAttempts: 1 }],
  ] as const)('is %s to every operation, with %j', async (code, changes) => {
    for (const work of everything(storeWith(changes))) expect(await failureOf(work())).toBe(code);
  });

  it('is store_denied to somebody who may not', async () => {
    for (const work of everything(storeWith({ credentials: server.stranger })))
      expect(await failureOf(work())).toMatch(/^store_(denied|missing)$/);
  });

  it.each([
    [403, 'store_denied'],
    [404, 'store_missing'],
    [413, 'store_full'],
    [507, 'store_full'],
    [500, 'store_unreachable'],
    [503, 'store_unreachable'],
  ])('that answers with %d and nothing else is %s, and is not asked for ever', async (status, code) => {
    const { store, proxy } = await storeBehind(`${status}/`, () => ({ status }), 2);
    expect(await failureOf(idsOf(store))).toBe(code);
    expect(proxy.requests.length).toBeLessThanOrEqual(2);
  });

  it('is store_unreachable when it does not answer', async () => {
    const proxy = await startFaultyProxy(server.endpoint, () => 'silence');
    proxies.push(proxy);
    const store = storeWith({ endpoint: proxy.url, requestTimeoutMs: 200, maxAttempts: 1 });
    expect(await failureOf(idsOf(store))).toBe('store_unreachable');
  });

  it('is let go at once by a signal, though it does not answer', async () => {
    const caller = new AbortController();
    const { store } = await storeBehind('silent/', () => {
      setImmediate(() => caller.abort(new Error('enough')));
      return 'silence';
    });
    await expect(store.open('a', { signal: caller.signal })).rejects.toThrow('enough');
  });

  it('says nothing of where it is and who asked', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
    const work = idsOf(storeWith({ bucket: 'secret-bucket', credentials }));
    const error = await work.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SnapshotStoreError);
    const said = JSON.stringify([error, (error as Error).message, (error as SnapshotStoreError).details]);
    expect(said).not.toMatch(/AKID|wJalr|secret-bucket|127\.0\.0\.1|http/);
    expect((error as Error).cause).toBeUndefined();
  });

  it('takes files of several parts, and gives them back', async () => {
    const store = storeWith({}, 'parts/');
    const files = Object.fromEntries(
      [8 * MIB - 2_200, 8 * MIB, 17 * MIB + 1].map((size) => [`${size}`, bytesOf(size, size)]),
    );
    await archiveOf(store, 'a', files);
    await store.verify('a');
    expect(digestsOf(await contentOf(store, 'a'))).toEqual(digestsOf(files));
  });

  it('has neither file nor parts of a file whose source failed, or whose parts it refused', async () => {
    const under = bucketUnderTest(server, 'faults', 'failed/');
    let refusing = false;
    const { store, proxy } = await storeBehind('failed/', (line) =>
      refusing && line.includes('partNumber=2') ? { status: 503 } : 'pass',
    );
    const draft = await store.begin('a');
    const failing = Readable.from(
      (async function* () {
        for (let mib = 0; mib < 20; mib += 1) yield bytesOf(MIB);
        throw new Error('the dump failed');
      })(),
      { objectMode: false },
    );
    await expect(draft.write('1.dat', failing)).rejects.toThrow('the dump failed');
    refusing = true;
    const refused = draft.write('2.dat', streamOf(bytesOf(30 * MIB), MIB));
    expect(await failureOf(refused)).toBe('store_unreachable');
    expect(proxy.requests.filter((line) => line.includes('partNumber=2')).length).toBeGreaterThanOrEqual(3);
    expect([await under.keys(), await under.uploads()]).toEqual([[], 0]);
    await draft.abort();
    under.close();
  });

  it('has neither file nor parts of a file in the middle of which the draft was aborted', async () => {
    const under = bucketUnderTest(server, 'faults', 'aborted/');
    const store = storeWith({}, 'aborted/');
    const draft = await store.begin('a');
    const source = new Readable({
      read() {
        taken += 1;
        this.push(taken > 20 ? undefined : bytesOf(MIB));
        if (taken === 20) void draft.abort();
      },
    });
    let taken = 0;
    await expect(draft.write('1.dat', source)).rejects.toMatchObject({ name: 'AbortError' });
    await draft.abort();
    expect([await under.keys(), await under.uploads()]).toEqual([[], 0]);
    under.close();
  });

  it('that breaks a download off is asked for the rest of it, but not for ever', async () => {
    await archiveOf(storeWith({}, 'cut/'), 'a', { '1.dat': bytesOf(3 * MIB) });
    let cuts = 0;
    const { store, proxy } = await storeBehind('cut/', (line) =>
      line.startsWith('GET') && line.includes('/files/') && cuts++ < 3 ? { cutAfter: 700_000 } : 'pass',
    );
    expect((await buffer((await store.open('a')).read('1.dat'))).equals(bytesOf(3 * MIB))).toBe(true);
    expect(proxy.requests.filter((line) => line.includes('/files/'))).toHaveLength(4);
    const { store: never } = await storeBehind('cut/', (line) =>
      line.startsWith('GET') && line.includes('/files/') ? { cutAfter: 1 } : 'pass',
    );
    expect(await failureOf(never.verify('a'))).toBe('store_unreachable');
  });

  it.each([
    ['the last of a file', 'POST', 'uploadId'],
    ['that of a manifest', 'PUT', '/manifests/'],
  ])('that loses an answer, %s, has done what it was asked once', async (_what, method, part) => {
    let lost = 0;
    const { store } = await storeBehind(`lost-${method}/`, (line) =>
      line.startsWith(method) && line.includes(part) && lost++ < 1 ? { cutAfter: 0 } : 'pass',
    );
    const draft = await store.begin('a');
    await draft.write('1.dat', streamOf(bytesOf(9 * MIB), MIB));
    await draft.finish(DESCRIPTION);
    expect(lost).toBeGreaterThan(1);
    await store.verify('a');
  });

  it('that refuses the manifest has no archive, and nothing is left after the draft is aborted', async () => {
    const under = bucketUnderTest(server, 'faults', 'refused/');
    const { store } = await storeBehind('refused/', (line) =>
      line.startsWith('PUT') && line.includes('/manifests/') ? { status: 403 } : 'pass',
    );
    const draft = await store.begin('a');
    await draft.write('1.dat', streamOf(bytesOf(10)));
    expect(await failureOf(draft.finish(DESCRIPTION))).toBe('store_denied');
    expect(await idsOf(storeOf(under))).toEqual([]);
    await draft.abort();
    expect(await under.keys()).toEqual([]);
    under.close();
  });

  it('that does not answer to the manifest has nothing left after the draft is aborted meanwhile', async () => {
    const under = bucketUnderTest(server, 'faults', 'meanwhile/');
    let asked: () => void = () => undefined;
    const manifestCame = new Promise<void>((resolve) => (asked = resolve));
    const { store } = await storeBehind('meanwhile/', (line) => {
      if (!line.startsWith('PUT') || !line.includes('/manifests/')) return 'pass';
      asked();
      return 'silence';
    });
    const draft = await store.begin('a');
    await draft.write('1.dat', streamOf(bytesOf(10)));
    const finishing = expect(draft.finish(DESCRIPTION)).rejects.toMatchObject({ name: 'AbortError' });
    await manifestCame;
    await draft.abort();
    await finishing;
    expect(await under.keys()).toEqual([]);
    under.close();
  });

  it('that lets nothing be removed keeps what an aborted draft wrote for the sweep', async () => {
    const under = bucketUnderTest(server, 'faults', 'kept/');
    let refusing = true;
    const { store } = await storeBehind('kept/', (line) =>
      refusing && line.startsWith('DELETE') ? { status: 503 } : 'pass',
    );
    const draft = await store.begin('a');
    await draft.write('1.dat', streamOf(bytesOf(10)));
    expect(await failureOf(draft.abort())).toBe('store_unreachable');
    refusing = false;
    expect(await store.sweepUnfinished({ olderThan: new Date('2999-01-01') })).toBe(1);
    expect(await under.keys()).toEqual([]);
    await archiveOf(store, 'a', {});
    under.close();
  });
});
