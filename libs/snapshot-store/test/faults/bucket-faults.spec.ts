import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
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
import { killAtLine } from './kill-program.js';

const MIB = 2 ** 20;

describeWith('a bucket with faults', 'swift', () => {
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
  ] as const)('fails every operation with %s, with the options %j', async (code, changes) => {
    for (const work of everything(storeWith(changes))) expect(await failureOf(work())).toBe(code);
  });

  it('fails every operation of a user without access with store_denied or store_missing', async () => {
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
  ])('maps the bare status %d to %s, and stops retrying', async (status, code) => {
    const { store, proxy } = await storeBehind(`${status}/`, () => ({ status }), 2);
    expect(await failureOf(idsOf(store))).toBe(code);
    expect(proxy.requests.length).toBeLessThanOrEqual(2);
  });

  it('fails with store_unreachable when the server does not respond', async () => {
    const proxy = await startFaultyProxy(server.endpoint, () => 'silence');
    proxies.push(proxy);
    const store = storeWith({ endpoint: proxy.url, requestTimeoutMs: 200, maxAttempts: 1 });
    expect(await failureOf(idsOf(store))).toBe('store_unreachable');
  });

  it('stops waiting for a silent server when the signal aborts', async () => {
    const caller = new AbortController();
    const { store } = await storeBehind('silent/', () => {
      setImmediate(() => caller.abort(new Error('enough')));
      return 'silence';
    });
    await expect(store.open('a', { signal: caller.signal })).rejects.toThrow('enough');
  });

  it('reports neither its address nor the credentials', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI' };
    const work = idsOf(storeWith({ bucket: 'secret-bucket', credentials }));
    const error = await work.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SnapshotStoreError);
    const reported = JSON.stringify([error, (error as Error).message, (error as SnapshotStoreError).details]);
    expect(reported).not.toMatch(/AKID|wJalr|secret-bucket|127\.0\.0\.1|http/);
    expect((error as Error).cause).toBeUndefined();
  });

  it('stores and returns files of several parts', async () => {
    const store = storeWith({}, 'parts/');
    const files = Object.fromEntries(
      [8 * MIB - 2_200, 8 * MIB, 17 * MIB + 1].map((size) => [`${size}`, bytesOf(size, size)]),
    );
    await archiveOf(store, 'a', files);
    await store.verify('a');
    expect(digestsOf(await contentOf(store, 'a'))).toEqual(digestsOf(files));
  });

  it('keeps neither file nor parts if the source fails or a part is rejected', async () => {
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

  it('keeps neither file nor parts if the draft is aborted in the middle of the file', async () => {
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

  it('sweeps the parts of an unfinished file of a process that was killed', async () => {
    const under = bucketUnderTest(server, 'faults', 'endless/');
    const location = { ...optionsOf(server, 'faults'), prefix: 'endless/' };
    await killAtLine(location, 'endless', 'begins a MiB', 24);
    expect(await idsOf(storeOf(under))).toEqual([]);
    expect(await under.uploads()).toBe(1);
    expect(await storeOf(under).sweepUnfinished({ olderThan: new Date('2999-01-01') })).toBe(1);
    expect(await under.uploads()).toBe(0);
    expect(await under.keys()).toEqual([]);
    under.close();
  });

  it('resumes an interrupted download, but not forever', async () => {
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
    ['the end of a file', 'POST', 'uploadId'],
    ['a manifest', 'PUT', '/manifests/'],
  ])(
    'repeats the request after it lost the response to %s, without doing the work twice',
    async (_what, method, part) => {
      let lost = 0;
      const { store } = await storeBehind(`lost-${method}/`, (line) =>
        line.startsWith(method) && line.includes(part) && lost++ < 1 ? { cutAfter: 0 } : 'pass',
      );
      const draft = await store.begin('a');
      await draft.write('1.dat', streamOf(bytesOf(9 * MIB), MIB));
      await draft.finish(DESCRIPTION);
      expect(lost).toBeGreaterThan(1);
      await store.verify('a');
    },
  );

  it('has no archive if it rejects the manifest, and no files after the draft is aborted', async () => {
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

  it('keeps no files if the draft is aborted while the server does not respond to the manifest', async () => {
    const under = bucketUnderTest(server, 'faults', 'silent-manifest/');
    let asked: () => void = () => undefined;
    const manifestCame = new Promise<void>((resolve) => (asked = resolve));
    const { store } = await storeBehind('silent-manifest/', (line) => {
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

  it('leaves the files of an aborted draft to the sweep if it rejects their removal', async () => {
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
