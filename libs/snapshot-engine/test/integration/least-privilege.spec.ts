import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dropDatabase } from '@understudy/database-swap';
import { connect, parseConnectionUrl } from '@understudy/postgres';
import { asLeastPrivileged, postgresVersions, type TestDatabase, waitFor } from '@understudy/testing';
import { SnapshotHarness } from './snapshot-harness.js';

const run = promisify(execFile);

const OWNER = 'company_owner';

let harness: SnapshotHarness;

beforeAll(async () => {
  harness = await SnapshotHarness.start();
});
afterAll(() => harness.stop());

/** Dumps a database without its own properties, which a target keeps. */
async function contentOf({ url }: TestDatabase): Promise<string> {
  const { stdout } = await run(join(harness.services.postgresBinFolder, 'pg_dump'), [`--dbname=${url}`]);
  return stdout.replace(/^\\(un)?restrict .*$/gm, '');
}

// Before PostgreSQL 15, a superuser owns the schema public, so another role cannot restore its privileges.
const ifPublicIsOpen = postgresVersions().source < 15 ? it.skip : it;

describe('the SQL of the roles', () => {
  ifPublicIsOpen('lets a snapshot be taken, and restored over a database of a superuser', async () => {
    const source = await harness.database(`CREATE ROLE ${OWNER}`);
    await source.query(`
      REVOKE ALL ON DATABASE ${source.name} FROM PUBLIC; GRANT CREATE ON DATABASE ${source.name} TO ${OWNER};
      GRANT ALL ON SCHEMA public TO ${OWNER}; SET LOCAL ROLE ${OWNER};
      CREATE SCHEMA "Odd Schema"; CREATE SEQUENCE numbers; SELECT nextval('numbers'); SELECT lo_from_bytea(0, 'large');
      CREATE TABLE people (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, n int DEFAULT nextval('numbers'));
      INSERT INTO people (name) VALUES ('one'), ('two'); ALTER TABLE people ENABLE ROW LEVEL SECURITY;
      CREATE TABLE "Odd Schema".parted (id int REFERENCES people) PARTITION BY LIST (id);
      CREATE TABLE "Odd Schema".part PARTITION OF "Odd Schema".parted FOR VALUES IN (1);
      INSERT INTO "Odd Schema".parted VALUES (1); CREATE VIEW names AS SELECT name FROM people`);
    const target = await harness.database('CREATE TABLE replaced (id int)');
    const other = await harness.database();
    const stranger = await asLeastPrivileged(other.url, { roles: ['restore'] });
    const { command, result } = await harness.snapshotOf(
      await asLeastPrivileged(source.url, { roles: ['snapshot'] }),
    );
    const url = await asLeastPrivileged(target.url, { roles: ['restore'], objectOwners: [OWNER] });
    for (const database of [target, other]) await harness.idle(database);
    // Without membership in the owner of the snapshot's objects, the restore fails.
    const asStranger = await harness.restore(harness.restoration(stranger, command, result, true));
    expect(asStranger.failure).toEqual({ code: 'permission_denied', side: 'target' });
    const { failure } = await harness.restore(harness.restoration(url, command, result, true));
    expect(failure).toBeUndefined();
    expect(await contentOf(target)).toBe(await contentOf(source));
    expect(
      (await target.query("SELECT convert_from(lo_get(oid), 'UTF8') AS text FROM pg_largeobject_metadata"))
        .rows,
    ).toEqual([{ text: 'large' }]);
  });
});

test('the database of a failed restore is dropped while autovacuum and an earlier attempt work in it', async () => {
  const database = await harness.database();
  const admin = await harness.admin();
  await admin.query(
    `CREATE ROLE loader LOGIN CREATEDB PASSWORD 'pw'; ALTER DATABASE ${database.name} OWNER TO loader`,
  );
  // A table that takes autovacuum minutes.
  const slow =
    'autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_insert_threshold = 1';
  await database.query(`
    CREATE TABLE loaded (v text) WITH (${slow}, autovacuum_vacuum_insert_scale_factor = 0);
    INSERT INTO loaded SELECT repeat('x', 500) FROM generate_series(1, 50000)`);
  await harness.idle(database);
  const loader = new URL(database.url);
  loader.username = 'loader';
  loader.password = 'pw';
  const earlier = await connect(parseConnectionUrl(loader.href), 'target');
  earlier.on('error', () => undefined); // the server ends the session
  for (const setting of ['autovacuum = on', 'autovacuum_naptime = 1'])
    await admin.query(`ALTER SYSTEM SET ${setting}`);
  await admin.query('SELECT pg_reload_conf()');
  try {
    const working = `SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker' AND datname = '${database.name}'`;
    await waitFor('autovacuum', async () => (await admin.query(working)).rows.length > 0);
    loader.pathname = '/postgres';
    await dropDatabase(parseConnectionUrl(loader.href), database.name);
    const found = await admin.query(`SELECT FROM pg_database WHERE datname = '${database.name}'`);
    expect(found.rows).toEqual([]);
  } finally {
    for (const setting of ['autovacuum', 'autovacuum_naptime'])
      await admin.query(`ALTER SYSTEM RESET ${setting}`);
    await admin.query('SELECT pg_reload_conf()');
  }
});
