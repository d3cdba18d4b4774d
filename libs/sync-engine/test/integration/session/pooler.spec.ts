import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import type { TestDatabase } from '@understudy/testing';
import { withLockedTarget } from '@understudy/database-swap';
import { connect, disconnect, openSession, parseConnectionUrl, refusePooler } from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import { casesOf, inBoth, inRelease, it } from '@understudy/testing';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import { DatabaseSurvey } from '../../../src/checks/survey/database-survey.js';
import { SmallPooler } from '../engine/small-pooler.js';
import { rowsOf, SyncHarness, TEST_LOG } from '../sync-harness.js';

const TABLES = Array.from({ length: 3 }, (_, i) => `t${i}`);
const SCHEMA = TABLES.map((table) => `CREATE TABLE ${table} (id int PRIMARY KEY, email text);`).join(' ');
const ROWS = TABLES.map((table) => `INSERT INTO ${table} SELECT i, 'a' || i FROM generate_series(1, 50) i;`);
const RULES = Object.fromEntries(
  TABLES.map((table) => [table, { email: { generator: 'template', pattern: '{{uuid}}' } }]),
);

// The sessions that are not had within this time are had never.
const QUICK = { copy: { connections: 2, chunkBytes: 64_000_000, sessionWaitMs: 4_000 } };

describe('a job that gets few sessions', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  const poolers: SmallPooler[] = [];
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  beforeEach(async () => {
    source = await harness.database(`${SCHEMA} ${ROWS.join(' ')}`);
    target = await harness.targetDatabase(SCHEMA);
  });
  afterEach(async () => {
    for (const pooler of poolers.splice(0)) pooler.stop();
    await harness.dropAll();
  });
  afterAll(() => harness.stop());

  const pool = async ({ url }: TestDatabase, size: number): Promise<string> => {
    const pooler = await SmallPooler.start(url, 'session', size);
    poolers.push(pooler);
    return pooler.url;
  };
  const tooFew = (side: 'source' | 'target', had: unknown, sessionLimit: string): object => {
    const problem = { code: 'too_few_sessions', side };
    const sessionsNeeded = side === 'source' ? 3 : 2;
    const problems = [{ ...problem, sessionsNeeded, sessionsHad: had, sessionLimit }];
    return { ...problem, problems, problemCount: 1 };
  };
  const expectCopied = async (command: SyncJobCommand, settings = QUICK): Promise<void> => {
    const dry = await harness.run({ ...command, dryRun: true }, settings);
    expect(dry.failure ?? dry.predicted?.failures).toEqual([]);
    const { failure, completed } = await harness.run(command, settings);
    expect(failure).toBeUndefined();
    expect(completed?.tables.map(({ rowsProcessed }) => rowsProcessed)).toEqual(TABLES.map(() => 50));
    const request = {
      ...{ command, environment: harness.environment(settings), signal: new AbortController().signal },
      ...{
        copied: new Map(TABLES.map((_, index) => [index, 50])),
        keepSnapshot: () => () => undefined,
        onProgress: () => undefined,
        run: 'known' as const,
      },
    };
    const checks = await verifyTarget(request);
    expect(checks.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
  };
  const expectRefused = async (command: SyncJobCommand, expected: object): Promise<void> => {
    const before = await rowsOf(target, "(SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_')");
    expect((await harness.run(command, QUICK)).failure).toEqual(expected);
    expect((await harness.run({ ...command, dryRun: true }, QUICK)).predicted?.failures).toEqual([expected]);
    expect(await rowsOf(target, "(SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_')")).toEqual(
      before,
    );
  };

  inRelease('copies existing tables through session pools with three and two sessions', async () => {
    await expectCopied(harness.command(await pool(source, 3), await pool(target, 2), RULES));
  });

  it('copies tables that the target lacks through session pools with three and two sessions', async () => {
    await target.query(TABLES.map((table) => `DROP TABLE ${table};`).join(' '));
    await expectCopied(harness.command(await pool(source, 3), await pool(target, 2), RULES));
  });

  inRelease('copies with one role whose CONNECTION LIMIT leaves three and two sessions', async () => {
    await source.query(
      "CREATE ROLE few LOGIN PASSWORD 'pw' CONNECTION LIMIT 3; GRANT pg_read_all_data TO few",
    );
    await target.query(
      `ALTER DATABASE ${target.name} CONNECTION LIMIT 3; CREATE ROLE writer LOGIN PASSWORD 'pw'; GRANT ALL ON DATABASE ${target.name} TO writer; GRANT ALL ON SCHEMA public TO writer; ${TABLES.map((table) => `ALTER TABLE ${table} OWNER TO writer;`).join(' ')}`,
    );
    try {
      await expectCopied(harness.command(asRole(source.url, 'few'), asRole(target.url, 'writer'), RULES));
    } finally {
      await target.query('DROP OWNED BY writer CASCADE; DROP ROLE writer');
      await source.query('DROP OWNED BY few; DROP ROLE few');
    }
  });

  const LIMITS = [5, 7] as const;
  inBoth.each(casesOf(LIMITS, 1))(
    'copies from and to one server with one role whose CONNECTION LIMIT leaves %i sessions',
    async (limit) => {
      await source.query(`CREATE ROLE both_sides LOGIN PASSWORD 'pw' CONNECTION LIMIT ${limit}`);
      const other = await harness.database(SCHEMA);
      try {
        await source.query(TABLES.map((table) => `GRANT SELECT ON ${table} TO both_sides;`).join(' '));
        await other.query(
          `GRANT ALL ON DATABASE ${other.name} TO both_sides; GRANT ALL ON SCHEMA public TO both_sides; ${TABLES.map((table) => `ALTER TABLE ${table} OWNER TO both_sides;`).join(' ')}`,
        );
        const command = harness.command(
          asRole(source.url, 'both_sides'),
          asRole(other.url, 'both_sides'),
          RULES,
        );
        await expectCopied(command, { copy: { ...QUICK.copy, connections: 4 } });
      } finally {
        await other.query('DROP OWNED BY both_sides CASCADE');
        await source.query('DROP OWNED BY both_sides; DROP ROLE both_sides');
      }
    },
  );

  const SIDES = ['target', 'source'] as const;
  inBoth.each(casesOf(SIDES, 1))(
    'leaves no session open if the %s resets all connections but the first',
    async (side) => {
      const urls = { source: source.url, target: target.url };
      const { hostname, port } = new URL(urls[side]);
      let accepted = 0;
      const relay = createServer((socket) => {
        socket.on('error', () => undefined);
        if ((accepted += 1) > 1) return void socket.resetAndDestroy();
        const upstream = connectTcp(Number(port), hostname);
        upstream.on('error', () => undefined).on('close', () => socket.destroy());
        socket.on('close', () => upstream.destroy());
        return void socket.pipe(upstream).pipe(socket);
      }).listen(0, '127.0.0.1');
      await once(relay, 'listening');
      const host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
      urls[side] = Object.assign(new URL(urls[side]), { host }).href;
      const { failure } = await harness.run(harness.command(urls.source, urls.target, RULES), QUICK);
      relay.close();
      expect(failure).toEqual({ code: 'connection_lost', side });
      for (const { name } of [source, target])
        expect(
          await rowsOf(
            source,
            `(SELECT FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'understudy%')`,
          ),
        ).toEqual([]);
    },
  );

  const SMALL_POOLS = [
    ['source', 2],
    ['target', 1],
    ['source', 1],
  ] as const;
  inBoth.each(casesOf(SMALL_POOLS, 2))(
    'is refused before the first write if the pool of the %s has %i sessions',
    async (side, size) => {
      const urls = { source: source.url, target: target.url };
      urls[side] = await pool(side === 'source' ? source : target, size);
      await expectRefused(harness.command(urls.source, urls.target, RULES), tooFew(side, size, 'pool_size'));
    },
  );

  it('is refused with the limit of the role or database that leaves too few sessions', async () => {
    await source.query(
      "CREATE ROLE few LOGIN PASSWORD 'pw' CONNECTION LIMIT 2; GRANT pg_read_all_data TO few",
    );
    await source.query(`CREATE ROLE guest LOGIN PASSWORD 'pw'; GRANT pg_read_all_data TO guest`);
    try {
      const byRole = harness.command(asRole(source.url, 'few'), target.url, RULES);
      await expectRefused(byRole, tooFew('source', 2, 'role'));
      await source.query(`ALTER DATABASE ${source.name} CONNECTION LIMIT 2`);
      const byDatabase = harness.command(asRole(source.url, 'guest'), target.url, RULES);
      await expectRefused(byDatabase, tooFew('source', expect.any(Number), 'database'));
    } finally {
      await source.query('DROP OWNED BY few, guest; DROP ROLE few, guest');
    }
  });

  it('fails within a bounded time if all sessions of the pool are used', async () => {
    const url = await pool(source, 1);
    const other = await connect(parseConnectionUrl(url), 'source');
    try {
      const { failure } = await harness.run(harness.command(url, target.url, RULES), QUICK);
      expect(failure).toEqual(tooFew('source', 0, 'pool_size'));
    } finally {
      await disconnect(other);
    }
  });
});

describe('refusePooler', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterAll(() => harness.stop());

  const check = async (url: string): Promise<void> => {
    const session = await openSession(parseConnectionUrl(url), 'source');
    try {
      await refusePooler(session);
    } finally {
      await disconnect(session.client);
    }
  };

  const SIZES = [2, 1, 3, 4] as const;
  inBoth.each(casesOf(SIZES, 1))(
    'refuses a pooler that assigns one of %i server processes to each transaction, also in a survey',
    async (size) => {
      const { url } = await harness.database();
      const pooler = await SmallPooler.start(url, 'transaction', size);
      const expected = { code: 'pooler_unsupported', side: 'source' };
      await expect(check(pooler.url)).rejects.toMatchObject(expected);
      const survey = DatabaseSurvey.open(parseConnectionUrl(pooler.url));
      await expect(survey).rejects.toMatchObject({ failure: expected });
      pooler.stop();
    },
  );

  it('refuses to lock a target through such a pooler, which would keep the lock', async () => {
    const { url, query } = await harness.database();
    const pooler = await SmallPooler.start(url, 'transaction', 2);
    const request = { name: 'understudy rst_1 1', log: TEST_LOG, signal: new AbortController().signal };
    const locking = withLockedTarget(parseConnectionUrl(pooler.url), request, async () => undefined);
    await expect(locking).rejects.toMatchObject({ code: 'pooler_unsupported', side: 'target' });
    expect((await query("SELECT FROM pg_locks WHERE locktype = 'advisory'")).rows).toEqual([]);
    pooler.stop();
  });

  it('accepts a pooler that assigns one server process to each client, and a direct connection', async () => {
    const { url } = await harness.database();
    const pooler = await SmallPooler.start(url, 'session', 4);
    await check(pooler.url);
    await check(url);
    pooler.stop();
  });
});

function asRole(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password: 'pw' }).toString();
}
