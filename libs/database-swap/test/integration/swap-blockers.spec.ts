import { parseConnectionUrl } from '@understudy/postgres';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { findRefusedLogin, findSwapBlockers, withServerSession } from '../../src/index.js';

/** The suite has a server of its own, because it prepares transactions and changes privileges of all databases. */
describe('findSwapBlockers', () => {
  let services: TestServices;
  let admin: TestDatabase;
  beforeAll(async () => {
    services = await startTestServices({
      postgres: true,
      postgresSettings: { max_prepared_transactions: '2', wal_level: 'logical' },
    });
    admin = await createTestDatabase(services.postgresUrl);
    await admin.query("CREATE ROLE agent LOGIN PASSWORD 'pw'; CREATE ROLE other LOGIN PASSWORD 'pw'");
  });
  afterAll(() => services.stop());

  const as = (user: string, database: string) =>
    parseConnectionUrl(
      Object.assign(new URL(`${services.postgresUrl}/${database}`), { username: user, password: 'pw' }).href,
    );
  const blockers = (database: string) =>
    withServerSession(as('agent', database), (session) => findSwapBlockers(session, as('agent', database)));

  it('lists everything that is in the way, with statements that remove it', async () => {
    const target = await createTestDatabase(services.postgresUrl, 'CREATE TABLE t (id int)');
    const { name } = target;
    await admin.query(`ALTER DATABASE ${name} OWNER TO other`);
    await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
    await target.query("SELECT pg_create_logical_replication_slot('changes', 'pgoutput')");
    await target.query(
      `CREATE SUBSCRIPTION feed CONNECTION 'dbname=${name}' PUBLICATION p WITH (connect = false)`,
    );
    await target.query("BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'half'");
    const found = await blockers(name);
    expect(found.map(({ kind }) => kind)).toEqual([
      'no_createdb',
      'not_owner',
      'template',
      'session',
      'prepared_transaction',
      'replication_slot',
      'subscription',
    ]);
    const inside = new Set(['prepared_transaction', 'subscription']);
    // A subscription without its slot can be dropped, and so can a slot that nobody uses.
    for (const { kind, remedy } of found)
      if (kind !== 'session') await (inside.has(kind) ? target : admin).query(remedy);
    await admin.query(found.find(({ kind }) => kind === 'session')?.remedy ?? '');
    expect(await blockers(name)).toEqual([]);
  });

  it('finds nothing if the database does not exist yet', async () => {
    await admin.query('ALTER ROLE agent CREATEDB');
    expect(await blockers('nowhere')).toEqual([]);
    await admin.query('ALTER ROLE agent NOCREATEDB');
  });

  it('finds that the role can connect to no other database', async () => {
    const target = await createTestDatabase(services.postgresUrl);
    const databases = ['postgres', 'template1'];
    for (const one of databases) await admin.query(`REVOKE CONNECT ON DATABASE ${one} FROM PUBLIC`);
    const [first] = await blockers(target.name);
    expect(first).toEqual({
      kind: 'no_maintenance_database',
      name: 'postgres',
      remedy: 'GRANT CONNECT ON DATABASE postgres TO "agent";',
    });
    await admin.query(first?.remedy ?? '');
    expect((await blockers(target.name)).map(({ kind }) => kind)).not.toContain('no_maintenance_database');
    for (const one of databases) await admin.query(`GRANT CONNECT ON DATABASE ${one} TO PUBLIC`);
  });

  it('finds nothing if one of the maintenance databases accepts no connections', async () => {
    const target = await createTestDatabase(services.postgresUrl);
    await admin.query('ALTER DATABASE postgres ALLOW_CONNECTIONS false');
    expect((await blockers(target.name)).map(({ kind }) => kind)).toEqual(['no_createdb', 'not_owner']);
    await admin.query('ALTER DATABASE postgres ALLOW_CONNECTIONS true');
  });

  it('finds a role that the server does not admit to a new database', async () => {
    const target = await createTestDatabase(services.postgresUrl);
    expect(await findRefusedLogin(as('agent', target.name))).toBeUndefined();
    await admin.query(`REVOKE CONNECT ON DATABASE ${target.name} FROM PUBLIC`);
    expect(await findRefusedLogin(as('agent', target.name))).toMatchObject({
      kind: 'not_admitted',
      name: 'agent',
    });
  });
});
