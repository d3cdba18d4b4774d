import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesOf, warningsOf } from '@understudy/sync-job';
import type { TestDatabase } from '@understudy/testing';
import { casesOf, inBoth, it } from '@understudy/testing';
import { type Outcome, type Rules, SyncHarness } from '../sync-harness.js';
import { Pause } from './staging-scene.js';

const GUIDE = join(import.meta.dirname, '../../../../../docs/guides/run-an-agent.md');
const ROLE = 'statistics_role';
const NAMES = { full_name: { generator: 'en_US/first_names' }, city: { generator: 'en_US/first_names' } };
const STAFF = `CREATE TABLE staff (id int PRIMARY KEY, full_name text, city text COLLATE "C" NOT NULL, born date NOT NULL DEFAULT now());`;
const COLUMNS = ['born', 'city', 'full_name', 'id'];
/** Rows that must not be in any statistics after the copy. 7 January 1970 is the date of all of them. */
const raw = (rows: number, table = 'staff') =>
  `INSERT INTO ${table} SELECT 1000000 + i, 'CANARY ' || i % 5, 'CANARY' || i, date '1970-01-07' FROM generate_series(1, ${rows}) i;`;

/** Selects everything that the views of planner statistics show of user tables. */
const SEEN = `
  SELECT 'column ' || s::text AS seen FROM pg_stats s WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
  UNION ALL SELECT 'extended ' || s::text FROM pg_stats_ext s
  UNION ALL SELECT 'expression ' || s::text FROM pg_stats_ext_exprs s`;
const OLD = /canary|1970-01-07|10000\d\d/i;

describe('the planner statistics of a target whose old rows were analyzed', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** Returns what statistics show of old rows, as a superuser sees it. */
  const old = async (database: TestDatabase) =>
    (await database.query(SEEN)).rows.map(({ seen }) => String(seen)).filter((seen) => OLD.test(seen));
  const analyzed = async (database: TestDatabase, table: string) =>
    (
      await database.query(
        `SELECT attname::text AS name FROM pg_stats WHERE tablename = '${table}' AND NOT inherited ORDER BY 1`,
      )
    ).rows.map(({ name }) => name);
  /** Creates a target as an ordinary role, with statistics of its rows. */
  const targetOf = async (sql: string, asSuperuser = '') => {
    const database = await harness.database(`
      DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD 'pw'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${ROLE}', current_database()); END $$;
      GRANT ALL ON SCHEMA public TO ${ROLE}; SET ROLE ${ROLE}; ${sql} RESET ROLE; ANALYZE; ${asSuperuser}`);
    expect(await old(database)).not.toEqual([]);
    const url = new URL(database.url);
    url.username = ROLE;
    url.password = 'pw';
    return { database, url: url.toString() };
  };
  const copy = async (
    sourceSql: string,
    target: { url: string },
    tables: Readonly<Record<string, Rules>> = { staff: NAMES },
    copying = {},
  ): Promise<Outcome> => {
    const source = await harness.database(sourceSql);
    const options = { connections: 2, chunkBytes: 64_000_000, ...copying };
    return harness.run(harness.command(source.url, target.url, tables), { copy: options });
  };
  const REFILL = { swapFromBytes: 1e12 };
  /** Returns the SQL of the guide for superusers, which is also in the warning. */
  const removal = () => {
    const sql =
      /```sql\n(DELETE FROM pg_catalog\.pg_statistic [^`]*)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
    const warning = { code: 'old_statistics_kept', tableIndex: 0 } as const;
    expect(
      warningsOf([warning], namesOf({ tables: [{ name: 'staff', columns: [] }] }))[0]?.message,
    ).toContain(sql.trim().replaceAll('\n', ' '));
    return sql;
  };
  const current = `INSERT INTO staff SELECT i, 'CANARY ' || i % 5, 'CANARY' || i, date '2020-01-01' + i FROM generate_series(1, 40) i;`;

  const REPLACED = [
    ['filled again', 40, REFILL],
    ['swapped', 3_000, {}],
    ['filled again', 12_000, REFILL],
  ] as const;
  inBoth.each(casesOf(REPLACED, 1))(
    'show no old value of a table that is %s with %i rows',
    async (_, rows, copying) => {
      const target = await targetOf(STAFF + raw(rows));
      const now = `INSERT INTO staff SELECT i, 'CANARY ' || i % 5, 'CANARY' || i, '2020-01-01' FROM generate_series(1, ${rows}) i;`;
      const { completed } = await copy(STAFF + now, target, undefined, copying);
      expect(completed?.warnings).toEqual([]);
      expect(await old(target.database)).toEqual([]);
      expect(await analyzed(target.database, 'staff')).toEqual(COLUMNS);
    },
  );

  const PARTED = `CREATE TABLE staff (id int, full_name text, city text NOT NULL, born date NOT NULL) PARTITION BY RANGE (born);
    CREATE TABLE staff_60 PARTITION OF staff FOR VALUES FROM ('1960-01-01') TO ('1980-01-01');
    CREATE TABLE staff_20 PARTITION OF staff FOR VALUES FROM ('2010-01-01') TO ('2030-01-01');`;

  const CREATED = [
    [
      'an index on an expression',
      `${STAFF} CREATE INDEX staff_i ON staff (lower(full_name));`,
      'staff_i',
      ['lower'],
    ],
    ['a table', STAFF, 'staff', COLUMNS],
    ['a partition', `${PARTED} CREATE INDEX ON staff (id);`, 'staff_20', COLUMNS],
  ] as const;
  inBoth.each(casesOf(CREATED, 1))(
    'exist for %s that the job creates, without originals of masked columns',
    async (_, definition, table, columns) => {
      const target = await targetOf(
        `CREATE TABLE other (a text); INSERT INTO other SELECT 'CANARY' FROM generate_series(1, 9);`,
      );
      const { failure } = await copy(definition + current, target);
      expect(failure).toBeUndefined();
      expect(await analyzed(target.database, table)).toEqual(columns);
      expect((await old(target.database)).filter((seen) => seen.includes('staff'))).toEqual([]);
    },
  );

  const EXTRAS = `
    CREATE INDEX staff_lower ON staff (lower(full_name)); CREATE INDEX staff_some ON staff (lower(city)) WHERE id > 1000000;
    CREATE STATISTICS staff_s (mcv) ON full_name, born FROM staff; CREATE STATISTICS staff_e ON (upper(city)), full_name FROM staff;`;
  const ZERO = `
    ALTER TABLE staff ALTER city SET STATISTICS 0; ALTER INDEX staff_lower ALTER COLUMN 1 SET STATISTICS 0;
    ALTER STATISTICS staff_s SET STATISTICS 0;`;
  const targetsOf = async (database: TestDatabase) =>
    (
      await database.query(`
        SELECT attrelid::regclass::text || '.' || attname AS name FROM pg_attribute WHERE attstattarget = 0 AND attrelid >= 16384 AND attnum > 0
        UNION ALL SELECT stxname FROM pg_statistic_ext WHERE stxstattarget = 0 ORDER BY 1`)
    ).rows.map(({ name }) => name);

  const FILLED = [
    ['rows', current],
    ['no rows', ''],
  ] as const;
  inBoth.each(casesOf(FILLED, 1))(
    'show no old value of expressions and of columns with the target 0 if there are %s',
    async (_, rows) => {
      const target = await targetOf(STAFF + raw(3_000) + EXTRAS, ZERO);
      const before = await targetsOf(target.database);
      expect(before).toHaveLength(3);
      const { completed } = await copy(STAFF + rows, target, undefined, REFILL);
      expect(completed?.warnings).toEqual([]);
      expect(await old(target.database)).toEqual([]);
      expect(await targetsOf(target.database)).toEqual(before);
      expect((await target.database.query('SELECT FROM staff')).rows).toHaveLength(rows === '' ? 0 : 40);
    },
  );

  const EMPTY = [
    [' whose constraint refuses a sample row', 'ALTER TABLE staff ADD CHECK (id > 500000);'],
    [
      ' whose child tables are empty too',
      'CREATE TABLE child (more text) INHERITS (staff);' + "INSERT INTO child SELECT *, 'CANARY' FROM staff;",
    ],
    ['', ''],
    [' that a view reads', 'CREATE VIEW v AS SELECT * FROM staff;'],
    [' that is published', 'CREATE PUBLICATION p FOR TABLE staff;'],
  ] as const;
  inBoth.each(casesOf(EMPTY, 2))('show no old value of a table%s that ends empty', async (_, more) => {
    const target = await targetOf(STAFF + raw(40), more.startsWith('CREATE PUB') ? more : '');
    if (!more.startsWith('CREATE PUB'))
      await target.database.query(`SET ROLE ${ROLE}; ${more} RESET ROLE; ANALYZE`);
    const tables: Parameters<typeof copy>[2] = more.includes('child')
      ? { staff: NAMES, child: {} }
      : { staff: NAMES };
    const child = more.includes('child') ? 'CREATE TABLE child (more text) INHERITS (staff);' : '';
    const { completed, failure } = await copy(STAFF + child, target, tables, REFILL);
    expect(failure).toBeUndefined();
    expect(completed?.warnings).toEqual([]);
    expect(await old(target.database)).toEqual([]);
    expect((await target.database.query('SELECT FROM staff')).rows).toEqual([]);
  });

  it('name the table in a warning if the role can neither fill it nor alter it', async () => {
    const more = 'ALTER TABLE staff ADD CHECK (id > 500000); CREATE VIEW v AS SELECT * FROM staff;';
    const target = await targetOf(STAFF + raw(40) + more);
    const { completed } = await copy(STAFF, target, undefined, REFILL);
    expect(completed?.warnings).toEqual([{ code: 'old_statistics_kept', tableIndex: 0 }]);
    expect(await old(target.database)).not.toEqual([]);
    await target.database.query(removal());
    expect(await old(target.database)).toEqual([]);
  });

  const INDEXES = [
    [
      'a unique partial index',
      'CREATE UNIQUE INDEX staff_x ON staff (lower(city), id) WHERE id > 1000000;',
      'staff_x.lower',
    ],
    ['a partial index', "CREATE INDEX staff_x ON staff (lower(city)) WHERE full_name LIKE 'CANARY%';", ''],
    ['an index with the target 0', 'CREATE INDEX staff_x ON staff (lower(city));', 'staff_x.lower'],
  ] as const;
  inBoth.each(casesOf(INDEXES, 1))(
    'show no old value of %s of a table that a view reads',
    async (_, index, disabled) => {
      const target = await targetOf(
        `${STAFF} CREATE VIEW v AS SELECT * FROM staff; ${index} COMMENT ON INDEX staff_x IS 'kept'; ${raw(40)}`,
        disabled === '' ? '' : 'ALTER INDEX staff_x ALTER COLUMN 1 SET STATISTICS 0',
      );
      const { completed } = await copy(STAFF + current, target, undefined, REFILL);
      expect(completed?.warnings).toEqual([]);
      expect(await old(target.database)).toEqual([]);
      expect(await targetsOf(target.database)).toEqual(disabled === '' ? [] : [disabled]);
      const { rows } = await target.database.query(
        "SELECT obj_description('staff_x'::regclass) AS comment, pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relname = 'staff_x'",
      );
      expect(rows).toEqual([{ comment: 'kept', owner: ROLE }]);
    },
  );

  it('name the table in a warning if an exclusion constraint has an index with the target 0', async () => {
    const target = await targetOf(
      `${STAFF} ALTER TABLE staff ADD CONSTRAINT staff_x EXCLUDE (lower(city) WITH =); CREATE VIEW v AS SELECT * FROM staff; ${raw(40)}`,
      'ALTER INDEX staff_x ALTER COLUMN 1 SET STATISTICS 0',
    );
    const { completed } = await copy(STAFF + current, target, undefined, REFILL);
    expect(completed?.warnings).toEqual([{ code: 'old_statistics_kept', tableIndex: 0 }]);
  });

  const MATERIALIZED = `CREATE MATERIALIZED VIEW m AS SELECT id, lower(full_name) AS name, born FROM staff; CREATE INDEX ON m (upper(name));
    CREATE STATISTICS m_s (mcv) ON name, born FROM m; CREATE STATISTICS m_e ON (reverse(name)) FROM m;`;
  it.each<[string, { rows?: string; more?: string; disabling?: string }, boolean]>([
    ['no old value of materialized views', { rows: current }, false],
    ['old values of empty materialized views only with a warning', {}, true],
    [
      'old values of partial indexes of materialized views only with a warning',
      { rows: current, more: 'CREATE INDEX ON m (upper(name)) WHERE id > 1000000;' },
      true,
    ],
    [
      'old values of columns of materialized views with the target 0 only with a warning',
      { rows: current, disabling: 'ALTER MATERIALIZED VIEW m ALTER name SET STATISTICS 0' },
      true,
    ],
    [
      'old values of extended statistics of materialized views with the target 0 only with a warning',
      { rows: current, disabling: 'ALTER STATISTICS m_s SET STATISTICS 0' },
      true,
    ],
  ])('show %s', async (_, { rows = '', more = '', disabling = '' }, isKept) => {
    const target = await targetOf(`${STAFF}${raw(40)}${MATERIALIZED}${more}`, disabling);
    const source = await harness.database(STAFF + rows);
    const refreshing = { refreshMaterializedViews: true };
    const { completed } = await harness.run(
      harness.command(source.url, target.url, { staff: NAMES }, refreshing),
    );
    expect(completed?.warnings).toEqual(isKept ? [{ code: 'old_statistics_kept', count: 1 }] : []);
    if (isKept) await target.database.query(removal());
    expect(await old(target.database)).toEqual([]);
  });

  it('are removed by the SQL of the warning, which keeps those of the new rows', async () => {
    const target = await targetOf(`${STAFF}${raw(40)}${EXTRAS}`, ZERO);
    await target.database.query(`TRUNCATE staff; ${current.replaceAll('CANARY', 'new')}`);
    expect(await old(target.database)).not.toEqual([]);
    await target.database.query(removal());
    expect(await old(target.database)).toEqual([]);
    expect(await analyzed(target.database, 'staff')).toEqual(['born', 'full_name', 'id']);
  });

  const PARTITIONS = [
    ['all partitions end empty', ''],
    ['some partitions end empty', current],
  ] as const;
  inBoth.each(casesOf(PARTITIONS, 1))('show no old value of a partitioned table if %s', async (_, rows) => {
    const target = await targetOf(PARTED + raw(40));
    const { completed } = await copy(PARTED + rows, target, undefined, REFILL);
    expect(completed?.warnings).toEqual([]);
    expect(await old(target.database)).toEqual([]);
  });

  const CHILDREN = [
    ['no rows', ''],
    ['rows', `INSERT INTO child SELECT i, 'CANARY', 'CANARY', '2020-01-01' FROM generate_series(1, 40) i;`],
  ] as const;
  inBoth.each(casesOf(CHILDREN, 1))(
    'show no old value in a parent that is not in the job, if its child table gets %s',
    async (_, rows) => {
      const both = `${STAFF} CREATE TABLE child () INHERITS (staff);`;
      const target = await targetOf(both + raw(40, 'child'));
      const { completed } = await copy(both + rows, target, { child: NAMES }, REFILL);
      expect(completed?.warnings).toEqual([]);
      expect(await old(target.database)).toEqual([]);
    },
  );

  it('show no old value if the agent is gone directly after the commit', async () => {
    const target = await targetOf(STAFF + raw(40));
    const source = await harness.database(STAFF + current);
    const pause = new Pause('committed');
    const running = harness.run(harness.command(source.url, target.url, { staff: NAMES }), {
      reached: pause.reached,
      copy: { connections: 2, chunkBytes: 64_000_000, ...REFILL },
    });
    await pause.arrived;
    expect(await old(target.database)).toEqual([]);
    pause.goOn();
    await running;
  });
});
