import fc from 'fast-check';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { parseConnectionUrl, disconnect, openSession } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import type { Standstill } from '../../../src/copy/watchdog.js';
import { ChunkCopying } from '../engine/chunk-copying.js';

const SCHEMA = `
  CREATE TABLE keyed (id int PRIMARY KEY, email text, note text);
  CREATE TABLE keyless (email text, note text);
  CREATE TABLE parted (id int, region text, note text) PARTITION BY LIST (region);
  CREATE TABLE parted_eu PARTITION OF parted FOR VALUES IN ('eu') PARTITION BY RANGE (id);
  CREATE TABLE parted_eu_low PARTITION OF parted_eu FOR VALUES FROM (0) TO (1000);
  CREATE TABLE parted_eu_high PARTITION OF parted_eu FOR VALUES FROM (1000) TO (10000);
  CREATE TABLE parted_us PARTITION OF parted FOR VALUES IN ('us');
  CREATE TABLE unparted (id int) PARTITION BY RANGE (id);
  CREATE TABLE ancestor (id int, note text);
  CREATE TABLE "Heir's" (more int) INHERITS (ancestor);
  CREATE TABLE columnless ();
  CREATE TABLE empty (id int PRIMARY KEY);
  CREATE TABLE computed (id int, twice int GENERATED ALWAYS AS (id * 2) STORED PRIMARY KEY, note text);
  CREATE TABLE toasted (id int PRIMARY KEY, gone int, body text);
  ALTER TABLE toasted DROP COLUMN gone;
`;
const ROWS = `
  INSERT INTO keyed SELECT i, 'a' || i || '@b.c', repeat('n', i % 300) FROM generate_series(1, 3000) i;
  DELETE FROM keyed WHERE id % 7 = 0;
  INSERT INTO keyless SELECT 'a' || i || '@b.c', E'tab\\tline\\n\\\\ ' || i FROM generate_series(1, 2000) i;
  INSERT INTO parted SELECT i, CASE WHEN i % 3 = 0 THEN 'us' ELSE 'eu' END, 'n' || i FROM generate_series(0, 4000) i;
  INSERT INTO ancestor SELECT i, 'old' FROM generate_series(1, 500) i;
  INSERT INTO "Heir's" SELECT i, 'young', i FROM generate_series(1, 700) i;
  INSERT INTO columnless SELECT FROM generate_series(1, 900);
  INSERT INTO computed (id, note) SELECT i, 'n' || i FROM generate_series(1, 800) i;
  ALTER TABLE toasted ALTER COLUMN body SET STORAGE EXTERNAL;
  INSERT INTO toasted SELECT i, repeat(md5(i::text), 3000) FROM generate_series(1, 30) i;
`;
const EMAIL = { generator: 'template', pattern: '{{uuid}}@example.com' };
const TABLES = {
  keyed: { email: EMAIL },
  keyless: { email: EMAIL },
  parted: { note: EMAIL },
  unparted: {},
  ancestor: { note: EMAIL },
  '"Heir\'s"': {},
  columnless: {},
  empty: {},
  computed: { note: EMAIL },
  toasted: { body: EMAIL },
};

describe('copyChunks', () => {
  let services: TestServices;
  let source: TestDatabase;
  let target: TestDatabase;
  let copying: ChunkCopying;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    source = await createTestDatabase(services.postgresUrl, SCHEMA + ROWS);
    target = await createTestDatabase(services.postgresUrl, SCHEMA);
    copying = await ChunkCopying.prepare({ source: source.url, target: target.url }, TABLES);
    // These rows are on pages after the last counted page. They must not be copied, because they are not in
    // the snapshot.
    await source.query(`INSERT INTO keyed SELECT i, 'new', 'new' FROM generate_series(10000, 12000) i`);
  });
  afterEach(async () => {
    await target.query(`TRUNCATE ${Object.keys(TABLES).join(', ')}`);
  });
  afterAll(async () => {
    await copying.release();
    await source.drop();
    await target.drop();
    await services.stop();
  });

  /** Returns a hash of each table's rows, independent of their order, by table name. */
  async function contents(): Promise<Record<string, unknown>> {
    const hashes: Record<string, unknown> = {};
    for (const table of Object.keys(TABLES)) {
      const { rows } = await target.query(
        `SELECT count(*)::int AS rows, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash FROM ONLY ${table} t`,
      );
      hashes[table] = rows[0];
    }
    return hashes;
  }

  it('copies the same masked rows for every chunk size and number of connections', async () => {
    const whole = await copying.plan(1e12);
    expect(whole.length).toBe(12); // one per table or leaf partition
    await copying.copy(whole);
    const expected = await contents();
    expect(expected).toMatchObject({
      keyed: { rows: 2572 },
      ancestor: { rows: 500 },
      columnless: { rows: 900 },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400_000 }),
        fc.integer({ min: 1, max: 3 }),
        async (chunkBytes, connections) => {
          await target.query(`TRUNCATE ${Object.keys(TABLES).join(', ')}`);
          await copying.copy(await copying.plan(chunkBytes), { connections });
          expect(await contents()).toEqual(expected);
        },
      ),
      { numRuns: 4, examples: [[1, 2]] },
    );
  });

  it('reports the same counts and writes the same rows in every run', async () => {
    const chunks = await copying.plan(100_000);
    const runs: unknown[] = [];
    for (const connections of [1, 3]) {
      const ledger = new Map<string, unknown>();
      const progress = new Map<number, { rows: number; bytes: number }>();
      const writer = copying.writer(({ tableIndex, number }, { rows, bytes }) => {
        ledger.set(`${tableIndex}/${number}`, { rows, bytes });
      });
      const onProgress = (tableIndex: number, rows: number, bytes: number) => {
        const sum = progress.get(tableIndex) ?? { rows: 0, bytes: 0 };
        progress.set(tableIndex, { rows: sum.rows + rows, bytes: sum.bytes + bytes });
      };
      await copying.copy(chunks, { connections, writer, onProgress });
      expect(ledger.size).toBe(chunks.length);
      for (const { index } of copying.plans) {
        const copied = chunks
          .filter(({ tableIndex }) => tableIndex === index)
          .map(({ number }) => ledger.get(`${index}/${number}`) as { rows: number; bytes: number });
        const rows = copied.reduce((sum, one) => sum + one.rows, 0);
        const bytes = copied.reduce((sum, one) => sum + one.bytes, 0);
        expect(progress.get(index) ?? { rows: 0, bytes: 0 }).toEqual({ rows, bytes });
      }
      runs.push({ ledger, contents: await contents() });
      await target.query(`TRUNCATE ${Object.keys(TABLES).join(', ')}`);
    }
    expect(runs[1]).toEqual(runs[0]);
  });

  it('does not copy chunks that are done', async () => {
    const chunks = await copying.plan(50_000);
    const copied: unknown[] = [];
    const writer = copying.writer((chunk) => copied.push(chunk));
    await copying.copy(chunks, { isDone: ({ number }) => number > 0, writer });
    expect(copied).toHaveLength(copying.plans.length);
    await copying.copy(chunks, {
      isDone: () => true,
      openSource: () => Promise.reject(new Error('not needed')),
    });
  });

  it('stops at the first failure, reports it and leaves no session', async () => {
    await target.query(`ALTER TABLE keyed ADD CONSTRAINT short CHECK (length(email) < 1)`);
    try {
      await expect(copying.copy(await copying.plan(50_000), { connections: 3 })).rejects.toMatchObject({
        failure: { code: 'constraint_violation', side: 'target', tableIndex: 0, constraintKind: 'check' },
      });
    } finally {
      await target.query('ALTER TABLE keyed DROP CONSTRAINT short');
    }
    expect(await sessionsOf(target)).toBe(0);
    expect(await sessionsOf(source)).toBe(1); // the snapshot keeper
  });

  it('stops in the middle of a chunk if the signal aborts', async () => {
    const abort = new AbortController();
    const reason = new SyncJobError({ code: 'cancelled' });
    const copy = copying.copy(await copying.plan(50_000), {
      signal: abort.signal,
      onProgress: () => {
        abort.abort(reason);
      },
    });
    await expect(copy).rejects.toBe(reason);
    expect(await sessionsOf(target)).toBe(0);
  });

  it('fails with lock_timeout after a long wait and reports the process that holds the lock', async () => {
    const blocker = await openSession(parseConnectionUrl(target.url), 'target');
    await blocker.client.query('BEGIN; LOCK TABLE public.keyed');
    const standstills: Standstill[] = [];
    try {
      const copy = copying.copy(await copying.plan(1e12), {
        watchdog: {
          stallAfterMs: 400,
          nowMs: () => performance.now(),
          onStandstill: (standstill) => standstills.push(standstill),
        },
      });
      await expect(copy).rejects.toMatchObject({
        failure: { code: 'lock_timeout', side: 'target', tableIndex: 0 },
      });
    } finally {
      await disconnect(blocker.client);
    }
    expect(standstills).toContainEqual(
      expect.objectContaining({ target: expect.objectContaining({ by: [blocker.backendPid] }) as unknown }),
    );
  });

  async function sessionsOf(database: TestDatabase): Promise<number> {
    const { rows } = await database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'understudy%'",
    );
    return rows.length;
  }
});
