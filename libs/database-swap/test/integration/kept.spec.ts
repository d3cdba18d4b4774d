import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net';
import { connect, type ConnectionTarget, type DatabaseError, parseConnectionUrl } from '@understudy/postgres';
import {
  createTestDatabase,
  sharedTestServices,
  type SharedTestServices,
  type TestDatabase,
} from '@understudy/testing';
import {
  dropEarlierKept,
  dropKept,
  keptName,
  onTargetServer,
  readChanges,
  recordChange,
  type RevertRequest,
  revertTarget,
} from '../../src/index.js';

const LOG = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };
const [JOB, FIRST, SECOND] = ['G5FAV', 'G5FAW', 'G5FAX'].map((end) => `rvt_01ARZ3NDEKTSV4RRFFQ69${end}`) as [
  string,
  string,
  string,
];

describe('a replaced database that is kept', () => {
  let services: SharedTestServices;
  let admin: TestDatabase;
  let target: ConnectionTarget;
  let id: string;
  beforeAll(async () => {
    services = await sharedTestServices({ postgres: true });
    id = Math.random().toString(36).slice(2, 8);
    admin = await createTestDatabase(
      services.postgresUrl,
      `CREATE ROLE keeper_${id} LOGIN CREATEDB PASSWORD 'pw'`,
    );
  });
  afterAll(() => services.stop());
  let targets = 0;
  beforeEach(async () => {
    const url = new URL(`${services.postgresUrl}/kept_${id}_${++targets}`);
    target = parseConnectionUrl(Object.assign(url, { username: `keeper_${id}`, password: 'pw' }).href);
    await create(target.database, 'new');
    await create(keptName(target.database, JOB), 'old');
  });
  afterEach(async () => {
    for (const name of await all()) await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  });

  /** Creates a database with a comment, by which a test recognizes it. */
  const create = async (name: string, comment: string) => {
    await admin.query(`CREATE DATABASE "${name}" OWNER keeper_${id}`);
    await admin.query(`COMMENT ON DATABASE "${name}" IS '${comment}'`);
  };
  const all = async (): Promise<readonly string[]> => {
    const { rows } = await admin.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      `kept_${id}_`,
    ]);
    return rows.map(({ datname }) => String(datname)).sort();
  };
  const contentOf = async (name: string): Promise<unknown> => {
    const { rows } = await admin.query(
      "SELECT shobj_description(oid, 'pg_database') AS content FROM pg_database WHERE datname = $1",
      [name],
    );
    return rows[0]?.['content'];
  };
  /** The contents of the target and of the database that a change has kept. */
  const state = async (change: string) => [
    await contentOf(target.database),
    await contentOf(keptName(target.database, change)),
  ];
  const revert = (revertId: string, lastChange: string, more: Partial<RevertRequest> = {}) =>
    revertTarget(target, {
      ...{ revertId, lastChange, epoch: 1, graceMs: 5_000, signal: AbortSignal.timeout(90_000), log: LOG },
      ...more,
    });
  const failure = (code: string) => expect.objectContaining({ failure: { code, side: 'target' } }) as Error;

  it('is swapped with the target, again by a second revert, and once by each', async () => {
    await revert(FIRST, JOB);
    expect(await state(FIRST)).toEqual(['old', 'new']);
    await revert(FIRST, JOB);
    expect(await state(FIRST)).toEqual(['old', 'new']);
    await revert(SECOND, FIRST);
    expect(await state(SECOND)).toEqual(['new', 'old']);
    await expect(revert('rvt_other', JOB)).rejects.toThrow(failure('kept_database_missing'));
    // Its end was not acknowledged before the second revert.
    await revert(FIRST, JOB, { epoch: 2 });
    expect(await state(SECOND)).toEqual(['new', 'old']);
    expect(await all()).toEqual([target.database, keptName(target.database, SECOND)]);
  });

  it('is swapped once by an attempt that follows one which ended at any step', async () => {
    for (const [step, revertId, lastChange] of [
      ['before_commit', FIRST, JOB],
      ['committed', SECOND, FIRST],
    ] as const) {
      const reached = (one: string) => {
        if (one === step) throw new Error('the process ends here');
      };
      await expect(revert(revertId, lastChange, { reached })).rejects.toThrow();
      await revert(revertId, lastChange, { epoch: 2 });
    }
    expect(await state(SECOND)).toEqual(['new', 'old']);
  });

  it('is swapped by one of two reverts at the same time', async () => {
    const ends = await Promise.allSettled([revert(FIRST, JOB), revert(SECOND, JOB)]);
    const won = ends[0].status === 'fulfilled' ? FIRST : SECOND;
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toEqual(failure('kept_database_missing'));
    expect(await state(won)).toEqual(['old', 'new']);
  });

  it('stays if somebody uses the target, or if the target is gone', async () => {
    const visitor = await connect(target, 'target', 'visitor');
    await expect(revert(FIRST, JOB)).rejects.toThrow(failure('database_in_use'));
    await visitor.end();
    expect(await state(JOB)).toEqual(['new', 'old']);
    await admin.query(`DROP DATABASE ${target.database}`);
    await expect(revert(FIRST, JOB)).rejects.toThrow(failure('database_not_found'));
    expect(await state(JOB)).toEqual([undefined, 'old']);
  });

  it('stays after a later change that could not drop it', async () => {
    const record = (change: string, earlier: readonly string[]) =>
      onTargetServer(target, (client) => client.query(recordChange(target.database, change, earlier)));
    await record(SECOND, [JOB]);
    await expect(revert(FIRST, JOB)).rejects.toThrow(failure('kept_database_missing'));
    await record(JOB, [SECOND]);
    await revert(FIRST, JOB);
    expect(await state(FIRST)).toEqual(['old', 'new']);
  });

  it('is distinguished from another database with its name, also if that appears while the revert waits', async () => {
    await revert(FIRST, JOB);
    const kept = keptName(target.database, FIRST);
    const replaceKept = async () => {
      await admin.query(`DROP DATABASE "${kept}"`);
      await create(kept, 'made by hand');
    };
    const late = revert(SECOND, FIRST, {
      reached: async (step) => {
        if (step === 'before_commit') await replaceKept();
      },
    });
    await expect(late).rejects.toThrow(failure('kept_database_changed'));
    await expect(revert(SECOND, FIRST, { epoch: 2 })).rejects.toThrow(failure('kept_database_changed'));
    expect(await dropKept(target, FIRST)).toBe('kept_database_changed');
    await admin.query(`ALTER DATABASE "${kept}" RENAME TO ${target.database}_renamed`);
    expect(await dropKept(target, FIRST)).toBeUndefined();
    await create(keptName(target.database, FIRST), 'made by hand again');
    await onTargetServer(target, async (client) => {
      const changes = await readChanges(client, target.database);
      await client.query(recordChange(target.database, SECOND, changes));
    });
    expect(await dropEarlierKept(target, SECOND, LOG)).toBe(false);
    expect(await state(FIRST)).toEqual(['old', 'made by hand again']);
  });

  it.each([
    'ALTER DATABASE "KEPT" OWNER TO',
    'ALTER DATABASE TARGET OWNER TO',
    'ALTER ROLE "KEEPER" NOCREATEDB --',
  ])('stays, and the revert names the missing right, after %s …', async (change) => {
    const names = { KEPT: keptName(target.database, JOB), TARGET: target.database, KEEPER: target.user };
    const sql = change.replace(/KEPT|TARGET|KEEPER/, (name) => names[name as keyof typeof names]);
    await admin.query(`${sql} CURRENT_USER`);
    await expect(revert(FIRST, JOB, { graceMs: 60_000 })).rejects.toThrow(failure('replace_denied'));
    expect(await state(JOB)).toEqual(['new', 'old']);
    await admin.query(`ALTER ROLE ${target.user} CREATEDB`);
  });

  it('is swapped while the revert ends the sessions of its role, but not those of others', async () => {
    const [own, other] = [await connect(target, 'target', 'visitor'), new URL(admin.url)];
    const ended = new Promise<void>((resolve) => own.on('end', resolve).on('error', () => undefined));
    other.pathname = `/${target.database}`;
    const stranger = await connect(parseConnectionUrl(other.href), 'target', 'stranger');
    const ends = { endsSessions: true, graceMs: 2_000 };
    await expect(revert(FIRST, JOB, ends)).rejects.toThrow(failure('database_in_use'));
    await stranger.end();
    await revert(FIRST, JOB, { ...ends, epoch: 2 });
    await ended;
    expect(await state(FIRST)).toEqual(['old', 'new']);
  });

  it('is not swapped while somebody uses the kept database, and no session is ended', async () => {
    const kept = keptName(target.database, JOB);
    const reader = await connect({ ...target, database: kept }, 'target', 'reader');
    const visitor = await connect(target, 'target', 'visitor');
    const ends = { endsSessions: true, graceMs: 1_000 };
    await expect(revert(FIRST, JOB, ends)).rejects.toThrow(failure('database_in_use'));
    for (const client of [reader, visitor])
      expect(await client.query('SELECT')).toHaveProperty('rowCount', 1);
    await reader.end();
    await revert(FIRST, JOB, { ...ends, graceMs: 5_000, epoch: 2 });
    await visitor.end().catch(() => undefined);
    expect(await state(FIRST)).toEqual(['old', 'new']);
  });

  it.each(['ALLOW_CONNECTIONS false', 'CONNECTION LIMIT 0'])(
    'is swapped with a target that its administrator has closed, which stays closed: %s',
    async (closing) => {
      await admin.query(`ALTER DATABASE ${target.database} ${closing}`);
      await revert(FIRST, JOB);
      expect(await state(FIRST)).toEqual(['old', 'new']);
      const { rows } = await admin.query(
        'SELECT datallowconn AND datconnlimit <> 0 AS open FROM pg_database WHERE datname = ANY ($1) ORDER BY datname',
        [[target.database, keptName(target.database, FIRST)]],
      );
      expect(rows.map(({ open }) => open)).toEqual([true, false]);
      await connect(target, 'target').then((client) => client.end());
    },
  );

  it('stays if the server is away, and a later attempt of its revert is repeated', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const away = { ...target, host: '127.0.0.1', port };
    const codeOf = (epoch: number) =>
      revertTarget(away, {
        ...{ revertId: FIRST, lastChange: JOB, epoch, graceMs: 5_000, log: LOG },
        signal: AbortSignal.timeout(90_000),
      }).catch((error: unknown) => (error as DatabaseError).code);
    expect([await codeOf(1), await codeOf(2)]).toEqual(['connection_failed', 'connection_lost']);
  });

  it('is dropped by its change, or after a later one, unless somebody uses it', async () => {
    const others = [`${target.database}_replaced_old`, `${target.database}_replaced_${'l'.repeat(26)}`];
    const later = keptName(target.database, FIRST);
    for (const name of [...others, later, keptName(`${target.database}_replaced`, JOB)])
      await create(name, 'other');
    const foreign = keptName(target.database, 'job_foreign');
    await admin.query(`CREATE DATABASE "${foreign}"`);
    const before = await all();
    const visitor = await connect(
      { ...target, database: keptName(target.database, JOB) },
      'target',
      'visitor',
    );
    const record = (change: string) =>
      onTargetServer(target, (client) => client.query(recordChange(target.database, change, [])));
    await record(FIRST);
    expect(await dropEarlierKept(target, FIRST, LOG)).toBe(true);
    expect(await all()).toEqual(before);
    await visitor.end();
    await record(SECOND);
    expect(await dropEarlierKept(target, FIRST, LOG)).toBe(false);
    expect(await all()).toEqual(before);
    await record(FIRST);
    expect(await dropEarlierKept(target, FIRST, LOG)).toBe(true);
    expect(await all()).toEqual(before.filter((name) => name !== keptName(target.database, JOB)));
    for (let time = 0; time < 2; time += 1) await dropKept(target, FIRST);
    expect(await contentOf(later)).toBeUndefined();
    expect(await dropEarlierKept(target, FIRST, LOG)).toBe(false);
  });

  it.each(['OWNER TO CURRENT_USER', 'IS_TEMPLATE true'])(
    'is left with the reason if the role may not drop it: %s',
    async (change) => {
      const kept = keptName(target.database, JOB);
      await admin.query(`ALTER DATABASE "${kept}" ${change}`);
      expect(await dropKept(target, JOB)).toBe('replace_denied');
      expect(await state(JOB)).toEqual(['new', 'old']);
      await admin.query(`ALTER DATABASE "${kept}" IS_TEMPLATE false`);
      await admin.query(`ALTER DATABASE "${kept}" OWNER TO ${target.user}`);
      expect(await dropKept(target, JOB)).toBeUndefined();
      expect(await state(JOB)).toEqual(['new', undefined]);
    },
  );

  it('is dropped after a later change, although the link to the server is lost once', async () => {
    await create(keptName(target.database, FIRST), 'newer');
    await onTargetServer(target, (client) => client.query(recordChange(target.database, FIRST, [])));
    let losses = 0;
    const relay = createServer((client) => {
      const server = connectSocket(target.port, target.host);
      server.on('data', (chunk) => client.write(chunk));
      server.on('error', () => client.destroy());
      client.on('close', () => server.destroy());
      client.on('data', (chunk: Buffer) => {
        if (losses > 0 || !chunk.includes('DROP DATABASE')) server.write(chunk);
        else {
          losses += 1;
          client.destroy();
        }
      });
    });
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const { port } = relay.address() as AddressInfo;
    expect(await dropEarlierKept({ ...target, host: '127.0.0.1', port }, FIRST, LOG)).toBe(true);
    relay.close();
    expect(losses).toBe(1);
    expect(await all()).toEqual([target.database, keptName(target.database, FIRST)]);
  });

  it('is dropped after a later change, although the role had no session left at first', async () => {
    await create(keptName(target.database, FIRST), 'newer');
    await onTargetServer(target, (client) => client.query(recordChange(target.database, FIRST, [])));
    await admin.query(`ALTER ROLE ${target.user} CONNECTION LIMIT 0`);
    let refusals = 0;
    const relay = createServer((client) => {
      const server = connectSocket(target.port, target.host);
      client.on('error', () => undefined).pipe(server);
      server.on('error', () => undefined).pipe(client);
      server.on('data', (chunk: Buffer) => {
        if (chunk.includes('C53300')) refusals += 1;
      });
      // A connection is tried again for two seconds. The limit ends only after that, when the whole drop is repeated.
      if (Date.now() - started > 2_500) void admin.query(`ALTER ROLE ${target.user} CONNECTION LIMIT -1`);
    });
    const started = Date.now();
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const { port } = relay.address() as AddressInfo;
    expect(await dropEarlierKept({ ...target, host: '127.0.0.1', port }, FIRST, LOG)).toBe(true);
    relay.close();
    expect(refusals).toBeGreaterThan(1);
    expect(await all()).toEqual([target.database, keptName(target.database, FIRST)]);
  });
});
