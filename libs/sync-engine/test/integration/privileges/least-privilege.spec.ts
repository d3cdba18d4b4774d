import {
  connect,
  DATABASE_ROLES,
  disconnect,
  type DatabaseRole,
  grantStatements,
  missingPrivileges,
  parseConnectionUrl,
  readDatabaseLayout,
  type Client,
  type MissingGrant,
} from '@understudy/postgres';
import type { SyncJobCommand } from '@understudy/sync-job';
import { asLeastPrivileged, postgresVersions, type TestDatabase } from '@understudy/testing';
import type { Permission } from '../../../src/policy.js';
import { rowsOf, SyncHarness } from '../sync-harness.js';

const READER = 'the "reader"';
const ROLE = 'newcomer';
const MASKER = "it's %s $masker$";

/** Tables with sequences, identity, foreign keys, partitions, a trigger, a free sequence and row-level security. */
const SCHEMA = `
  CREATE SCHEMA "Odd Schema";
  CREATE SCHEMA types; CREATE TYPE types.mood AS ENUM ('sad', 'happy');
  CREATE SEQUENCE numbers;
  CREATE TABLE customers (id serial PRIMARY KEY, mail text NOT NULL, mood types.mood, number bigint DEFAULT nextval('numbers'));
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer_id int NOT NULL REFERENCES customers);
  CREATE TABLE "Odd Schema".events (id int, day date, customer_id int REFERENCES customers, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
  CREATE TABLE "Odd Schema".events_1 PARTITION OF "Odd Schema".events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE TABLE plain (id serial PRIMARY KEY, note text);
  CREATE VIEW mails AS SELECT mail FROM customers;
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER noted AFTER INSERT ON customers FOR EACH ROW EXECUTE FUNCTION note();
`;
const ROWS = `
  INSERT INTO customers (mail, mood) SELECT 'm' || n || '@corp.invalid', 'happy' FROM generate_series(1, 200) n;
  INSERT INTO orders (customer_id) SELECT n FROM generate_series(1, 200) n;
  INSERT INTO "Odd Schema".events SELECT n, '2025-01-01'::date + n, n FROM generate_series(1, 200) n;
  INSERT INTO plain SELECT n, 'note' FROM generate_series(1, 200) n;
  CREATE TABLE missing_on_target (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint REFERENCES orders, mood types.mood);
  INSERT INTO missing_on_target (order_id) SELECT n FROM generate_series(1, 200) n;
  ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
`;

let harness: SyncHarness;
let source: TestDatabase;
let target: TestDatabase;
/** A database in which a new role gets each kind of privilege. */
let database: TestDatabase;

beforeAll(async () => {
  harness = await SyncHarness.start();
  source = await hardened('shop_owner', SCHEMA + ROWS);
  target = await hardened('staging_owner', SCHEMA);
  await target.query(`
    CREATE TABLE by_superuser (id serial PRIMARY KEY);
    ALTER TABLE "Odd Schema".events FORCE ROW LEVEL SECURITY; ALTER TABLE "Odd Schema".events ENABLE ROW LEVEL SECURITY`);
  database = await hardened('company_owner', `${SCHEMA} ALTER TABLE orders ENABLE ROW LEVEL SECURITY`);
  await database.query(`
      CREATE SCHEMA of_superuser; CREATE SEQUENCE of_superuser.counter;
      CREATE TABLE of_superuser.plain (id int DEFAULT nextval('of_superuser.counter'));
      SELECT lo_create(0);
      ALTER TABLE "Odd Schema".events FORCE ROW LEVEL SECURITY; ALTER TABLE "Odd Schema".events ENABLE ROW LEVEL SECURITY;
      REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC`);
});
afterAll(() => harness.stop());

/** Creates a database in which PUBLIC has no privileges and whose objects belong to a role without rights of its own. */
async function hardened(owner: string, sql: string): Promise<TestDatabase> {
  const database = await harness.database(`CREATE ROLE ${owner}`);
  await database.query(`
    REVOKE ALL ON DATABASE ${database.name} FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC;
    GRANT CREATE ON DATABASE ${database.name} TO ${owner}; GRANT ALL ON SCHEMA public TO ${owner};
    SET LOCAL ROLE ${owner}; ${sql}`);
  return database;
}

async function statementsFor(roles: readonly DatabaseRole[]): Promise<readonly string[]> {
  return asSuperuser(async (client) => {
    const layout = await readDatabaseLayout(client, ROLE);
    const request = { roles: new Set(roles), role: ROLE, database: database.name, objectOwners: [], layout };
    return grantStatements(request).map(({ sql }) => sql);
  });
}

async function asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(parseConnectionUrl(database.url), 'target');
  try {
    return await work(client);
  } finally {
    await disconnect(client);
  }
}

/** A table that a job swaps has a later oid than the table that was created after it. */
const PLAIN_TABLE = `
  SELECT relowner::regrole::text AS owner, oid > 'by_superuser'::regclass AS swapped FROM pg_class WHERE oid = 'plain'::regclass`;

/** Runs statements and then checks the role's privileges, as that role. All of this is rolled back. */
async function lackedAfter(
  roles: readonly DatabaseRole[],
  statements: readonly string[],
): Promise<readonly Pick<MissingGrant, 'privilege' | 'sql' | 'isRequired'>[]> {
  return asSuperuser(async (client) => {
    try {
      await client.query('BEGIN');
      for (const sql of statements) await client.query(sql);
      // A table that is created later.
      await client.query(`SET LOCAL ROLE company_owner; CREATE TABLE public.later (id serial); RESET ROLE`);
      await client.query(`SET SESSION AUTHORIZATION ${ROLE}`);
      const { rows } = await client.query<{ may: boolean }>(
        "SELECT has_database_privilege(current_database(), 'CONNECT') AS may",
      );
      // A role without this privilege cannot make the check.
      const connecting = { privilege: 'CONNECT', sql: '', isRequired: true };
      return [
        ...(rows[0]?.may === true ? [] : [connecting]),
        ...(await missingPrivileges(client, new Set(roles))),
      ];
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

describe('each statement of the SQL', () => {
  it.each(DATABASE_ROLES)('is needed for a %s', async (use) => {
    const [creating = '', ...granting] = await statementsFor([use]);
    expect(creating).toMatch(/^CREATE ROLE/);
    expect(await lackedAfter([use], [creating, ...granting])).toEqual([]);
    const unneeded: string[] = [];
    for (const one of granting) {
      const others = granting.filter((statement) => statement !== one);
      if ((await lackedAfter([use], [creating, ...others])).length === 0) unneeded.push(one);
    }
    expect(unneeded).toEqual([]);
  });

  it('is compatible with the others if one role has several uses', async () => {
    const statements = await statementsFor(DATABASE_ROLES);
    expect(await lackedAfter(DATABASE_ROLES, statements)).toEqual([]);
    expect(await lackedAfter(DATABASE_ROLES, statements.slice(0, 2))).not.toEqual([]);
  });
});

describe('a missing privilege', () => {
  it.each(DATABASE_ROLES)('of a %s is granted by its statement', async (use) => {
    const statements = [`CREATE ROLE ${ROLE} LOGIN; GRANT CONNECT ON DATABASE ${database.name} TO ${ROLE}`];
    const lacked = await lackedAfter([use], statements);
    expect(lacked.some(({ isRequired }) => isRequired)).toBe(true);
    // A privilege on a table can show only after the privilege on its schema.
    for (let missing = lacked, rounds = 0; missing.length > 0; rounds++) {
      expect(rounds).toBeLessThan(3);
      statements.push(...missing.filter(({ sql }) => !sql.includes('later')).map(({ sql }) => sql));
      missing = (await lackedAfter([use], statements)).filter(({ sql }) => !sql.includes('later'));
    }
    expect(statements.join()).not.toMatch(/GRANT "?postgres"? TO/);
  });

  it('is not required if other tables can be read', async () => {
    const [creating = '', ...granting] = await statementsFor(['source']);
    const without = [...granting, `REVOKE SELECT ON public.plain FROM ${ROLE}`];
    expect(await lackedAfter(['source'], [creating, ...without])).toEqual([
      {
        role: 'source',
        privilege: 'SELECT on TABLE "public"."plain"',
        sql: `GRANT SELECT ON TABLE "public"."plain" TO "${ROLE}";`,
        isRequired: false,
      },
    ]);
    const closed = [...granting, `REVOKE USAGE ON SCHEMA types FROM ${ROLE}`];
    expect(await lackedAfter(['source'], [creating, ...closed])).toEqual([
      expect.objectContaining({ privilege: 'USAGE on SCHEMA "types"', isRequired: false }),
    ]);
  });
});

describe('the SQL of the roles', () => {
  it('lets a masked job complete, with every kind of table', async () => {
    const command = harness.command(
      await asLeastPrivileged(source.url, { roles: ['source'], role: READER }),
      await asLeastPrivileged(target.url, { roles: ['target'], role: MASKER }),
      {
        customers: { mail: { generator: 'template', pattern: '{{uuid}}@example.com' } },
        orders: {},
        '"Odd Schema".events': {},
        plain: {},
        missing_on_target: {},
      },
    );
    const [customers, ...others] = command.tables;
    if (customers === undefined) throw new Error('expected a table');
    // The condition names a type in a schema without tables.
    const tables = [{ ...customers, subset: { where: "mood = 'happy'" } }, ...others];
    const { failure, completed } = await harness.run({ ...command, tables });
    expect(failure).toBeUndefined();
    expect(completed).toBeDefined();
    expect(await target.query(PLAIN_TABLE)).toMatchObject({
      rows: [{ owner: 'staging_owner', swapped: true }],
    });
    expect(await rowsOf(target, 'missing_on_target')).toHaveLength(200);
    expect(await rowsOf(target, 'mails')).toHaveLength(200);
    expect((await rowsOf(target, 'customers')).every((row) => row.includes('@example.com'))).toBe(true);
  });

  it('lets sequences continue after those of the source, also if the source got them after the role', async () => {
    const tables = (name: string) => `
      CREATE SEQUENCE ${name}_numbers;
      CREATE TABLE ${name} (id text PRIMARY KEY DEFAULT 'INV-' || nextval('${name}_numbers'), line serial);
      CREATE FUNCTION ${name}_code() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN new.code := coalesce(new.code, nextval('public.${name}_codes')::text); RETURN new; END $$;
      CREATE SEQUENCE ${name}_codes; CREATE TABLE ${name}_coded (code text PRIMARY KEY);
      CREATE TRIGGER coded BEFORE INSERT ON ${name}_coded FOR EACH ROW EXECUTE FUNCTION ${name}_code();
      INSERT INTO ${name} SELECT FROM generate_series(1, 7); INSERT INTO ${name}_coded SELECT FROM generate_series(1, 7);`;
    const from = await hardened('invoices_owner', tables('invoices'));
    const to = await hardened('copies_owner', '');
    const url = await asLeastPrivileged(from.url, { roles: ['source'], role: 'invoices_reader' });
    await from.query(`SET LOCAL ROLE invoices_owner; ${tables('later')}`);
    const { completed, failure } = await harness.run(
      harness.command(url, await asLeastPrivileged(to.url, { roles: ['target'] }), {
        ...{ invoices: {}, invoices_coded: {}, later: {}, later_coded: {} },
      }),
    );
    expect(failure).toBeUndefined();
    expect(completed?.warnings.filter(({ code }) => code.startsWith('sequence'))).toEqual([]);
    for (const name of ['invoices', 'later']) {
      const next = `INSERT INTO ${name} DEFAULT VALUES RETURNING id`;
      expect((await to.query(next)).rows).toEqual([{ id: 'INV-8' }]);
      const coded = `INSERT INTO ${name}_coded DEFAULT VALUES RETURNING code`;
      expect((await to.query(coded)).rows).toEqual([{ code: '8' }]);
    }
  });
});

describe('the role of the target', () => {
  const PLAIN = 'CREATE TABLE plain (id int PRIMARY KEY)';

  const sessionUser = (url: string) => decodeURIComponent(new URL(url).username);

  const run = (
    from: TestDatabase,
    url: string,
    allowSuperuserTarget: Permission,
    more: Partial<SyncJobCommand> = {},
  ) => {
    const command = harness.command(from.url, url, { plain: {} }, more);
    return harness.run(command, { policy: harness.policy({ allowSuperuserTarget }) });
  };
  const REFUSED = { code: 'superuser_target', side: 'target' };

  it.each([
    ['a member of a superuser', 'GRANT postgres TO %I', 'REVOKE postgres FROM %I'],
    [
      'a role that may run programs',
      'GRANT pg_execute_server_program TO %I',
      'REVOKE pg_execute_server_program FROM %I',
    ],
    [
      'a role that may write files',
      'GRANT pg_write_server_files TO %I',
      'REVOKE pg_write_server_files FROM %I',
    ],
    ...(postgresVersions().target < 16
      ? [
          [
            'a role that can grant itself such a role',
            'ALTER ROLE %I CREATEROLE',
            'ALTER ROLE %I NOCREATEROLE',
          ],
        ]
      : []),
  ])('is refused by the run and the dry run if it is %s', async (_, grant, revoke) => {
    const from = await harness.database(`${PLAIN}; INSERT INTO plain VALUES (1)`);
    const to = await harness.database(PLAIN);
    const url = await asLeastPrivileged(to.url, { roles: ['target'] });
    await to.query(grant.replace('%I', `"${sessionUser(url)}"`));
    expect((await run(from, url, false)).failure).toEqual(REFUSED);
    expect((await run(from, url, false, { dryRun: true })).predicted?.failures).toEqual([REFUSED]);
    await to.query(revoke.replace('%I', `"${sessionUser(url)}"`));
    expect((await run(from, url, false, { dryRun: true })).predicted?.failures).toEqual([]);
  });

  it('is refused if it is a superuser, also if its sessions begin with another role', async () => {
    const from = await harness.database(`${PLAIN}; INSERT INTO plain VALUES (1)`);
    const to = await harness.database(PLAIN);
    expect((await run(from, to.url, false)).failure).toEqual(REFUSED);
    const reported = await run(from, to.url, 'report', { jobId: 'job_2' });
    expect(reported.completed?.warnings).toEqual([{ code: 'superuser_target' }]);
    const allowed = await run(from, to.url, true, { jobId: 'job_3' });
    expect(allowed.completed?.warnings).toEqual([]);
    const worker = sessionUser(await asLeastPrivileged(to.url, { roles: ['target'] }));
    await to.query(`DROP ROLE IF EXISTS posing; CREATE ROLE posing LOGIN SUPERUSER PASSWORD 'posing';
                    ALTER ROLE posing SET role = '${worker}'`);
    const url = new URL(to.url);
    Object.assign(url, { username: 'posing', password: 'posing' });
    expect((await run(from, url.href, false)).failure).toEqual(REFUSED);
  });
});
