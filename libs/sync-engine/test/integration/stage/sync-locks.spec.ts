import { Client } from 'pg';
import type { EngineLog } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { ReachStep } from '../../../src/steps.js';
import { contentOf, dumpOf, leftovers, type Scene, setScene, TABLES } from './staging-scene.js';
import { type Outcome, SyncHarness } from '../sync-harness.js';

const FOREVER_MS = 3_600_000;

/** A session that uses a table, and does not end its transaction. */
class Reader {
  private constructor(
    private readonly client: Client,
    readonly pid: number,
  ) {}

  static async open(url: string, sql: string): Promise<Reader> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query(`BEGIN; ${sql}`);
    return new Reader(client, rows[0]?.pid ?? 0);
  }

  close(): Promise<void> {
    return this.client.end();
  }
}

/** A log that lets a test wait for what is told. */
class Listener {
  readonly told: Promise<string>;
  errors = '';
  readonly log: EngineLog;

  constructor() {
    let hear: (message: string) => void = () => undefined;
    this.told = new Promise((resolve) => (hear = resolve));
    this.log = {
      error: (facts) => (this.errors += JSON.stringify(facts)),
      warn: (_, message) => {
        if (message.includes('locked by')) hear(message);
      },
      info: () => undefined,
      debug: () => undefined,
    };
  }
}

describe('a job whose target is in use', () => {
  let harness: SyncHarness;
  let scene: Scene;
  let listener: Listener;
  const readers: Reader[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    scene = await setScene(harness);
    listener = new Listener();
  });
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()));
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const read = async (sql: string): Promise<Reader> => {
    const reader = await Reader.open(scene.target.url, sql);
    readers.push(reader);
    return reader;
  };
  const run = (
    lockWaitMs: number,
    {
      epoch = 1,
      signal,
      reached = () => undefined,
    }: { epoch?: number; signal?: AbortSignal; reached?: ReachStep } = {},
  ): Promise<Outcome> =>
    harness.run(
      harness.command(scene.source.url, scene.targetUrl, TABLES, { epoch }),
      {
        copy: { connections: 2, chunkBytes: 64_000_000, lockTryMs: 50, lockWaitMs },
        log: listener.log,
        reached,
      },
      signal,
    );

  it.each([
    ['a table that it replaces', 'children'],
    ['a table outside of the job that references one', 'outside'],
  ])('stands back while somebody reads %s, names the process, and completes afterwards', async (_, table) => {
    const reader = await read(`SELECT FROM ${table}`);
    const running = run(FOREVER_MS);
    expect(await listener.told).toContain(`process ${reader.pid}`);
    // Whoever comes now is served: at worst after the try that is under way.
    for (const name of ['parents', 'children', 'outside']) await scene.target.query(`SELECT FROM ${name}`);
    await readers.pop()?.close();
    const outcome = await running;
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([{ code: 'waited_for_lock' }]);
    expect((await scene.target.query('SELECT count(*)::int AS n FROM children')).rows).toEqual([{ n: 3000 }]);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('fails when its time is over, with the process in the log, and leaves everything as it was', async () => {
    const before = await dumpOf(harness, scene.target);
    const reader = await read('SELECT FROM children');
    const outcome = await run(0);
    expect(outcome.failure).toMatchObject({ code: 'lock_timeout', side: 'target', tableIndex: 1 });
    expect(listener.errors).toContain(`locked by process ${reader.pid}`);
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('can be cancelled between two tries', async () => {
    const before = await dumpOf(harness, scene.target);
    await read('SELECT FROM children');
    const abort = new AbortController();
    const running = run(FOREVER_MS, { signal: abort.signal });
    await listener.told;
    abort.abort(new SyncJobError({ code: 'cancelled' }));
    expect((await running).failure).toEqual({ code: 'cancelled' });
    expect(await dumpOf(harness, scene.target)).toBe(before);
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('can be taken over between two tries, and changes nothing afterwards', async () => {
    await read('SELECT FROM children');
    const first = run(FOREVER_MS);
    await listener.told;
    listener = new Listener();
    const second = run(FOREVER_MS, { epoch: 2 });
    expect((await first).failure?.code).toMatch(/^(lease|connection|snapshot)_lost$/);
    await listener.told;
    await readers.pop()?.close();
    expect((await second).failure).toBeUndefined();
    const content = await contentOf(harness, scene.target);
    expect(content).toContain('parent 300');
    expect(await leftovers(scene.target)).toEqual([]);
  });

  it('stands back as well before it stages anything, while somebody changes a table', async () => {
    const running = run(FOREVER_MS, {
      reached: async (step) => {
        if (step === 'models_trained') await read('LOCK TABLE children IN ACCESS EXCLUSIVE MODE');
      },
    });
    await listener.told;
    await readers.pop()?.close();
    const outcome = await running;
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([{ code: 'waited_for_lock' }]);
  });
});
