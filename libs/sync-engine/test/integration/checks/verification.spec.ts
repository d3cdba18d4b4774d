import { casesOf, inBoth, it, type TestDatabase, waitFor } from '@understudy/testing';
import { Client } from 'pg';
import { connect, disconnect, openSession, describeTables, parseConnectionUrl } from '@understudy/postgres';
import type { TablePlan } from '../../../src/plan/table-plan.js';
import type { VerificationCheck, VerificationKind } from '@understudy/sync-job';
import { verifyReferences } from '../../../src/verify/verify-references.js';
import { digestExpression } from '../../../src/verify/digest-expression.js';
import { readColumnTypes } from '../../../src/verify/preserved-digest.js';
import { RowComparison } from '../../../src/verify/row-comparison.js';
import { type ExpectedSequences, verifySequences } from '../../../src/verify/verify-sequences.js';
import { readWriterCode } from '../../../src/verify/writer-code.js';
import { located, type LocatedClient, locatedSession } from '../../../src/session/located-client.js';
import { type Rules, rowsOf, SyncHarness, TEST_LOG } from '../sync-harness.js';

const TYPES = `
  CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE TYPE pair AS (a int, b text);
  CREATE DOMAIN zip AS text CHECK (value ~ '^[0-9]+$'); CREATE DOMAIN zips AS zip[];
  CREATE TYPE spans AS RANGE (subtype = int8);
  CREATE COLLATION blunt (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
`;
const THINGS = `
  CREATE TABLE things (
    id int8, flag bool, small int2, plain int, ratio float4, amount float8, price numeric, day date, at timestamp, instant timestamptz,
    clock time, zoned timetz, wait interval, name text, short varchar(9), code char(4), key uuid, raw bytea, doc json, docb jsonb,
    addr inet, mac macaddr, feel mood, feels mood[], duo pair, zip zip, zips zips, tags text[], grid int[][], span int4range, many spans,
    words tsvector, bits bit(3), cost money, page xml, spot point, "Odd ""name" text, folded text COLLATE blunt, gone text, secret text);
`;
const ROWS = `
  INSERT INTO things SELECT n, n % 2 = 0, n, n, n / 3.0, n / 7.0, n * 1.50, date '2020-01-01' + n, CASE WHEN n = 3 THEN 'infinity' ELSE timestamp '2020-01-01' END,
    now(), '10:00', '10:00+02', '1 mon 3 days', 'name ' || n, 'short' || n, 'c' || n, gen_random_uuid(), decode('00ff', 'hex'), '{"a": 1}', '{"b": null}',
    '10.0.0.1/8', '08:00:2b:01:02:03', 'happy', '{sad,happy}', ROW(n::int, 'x y')::pair, '123', '{1,2}', '{a,NULL,"b c"}', '{{1,2},{3,4}}', '[1,5)', '[2,9)',
    'a fat cat', B'101', 12.30, '<?xml version="1.0" encoding="UTF-8"?><p/>', '(1,2)', CASE WHEN n > 2 THEN 'odd' END, 'Fold', NULL, 's' || n
    FROM generate_series(1, 50) AS n;
`;

describe('verification', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /**
   * Compares a table of the source with the table of the same name on the target. On the target, the columns in
   * `nulled` must contain only NULL.
   */
  async function verified(
    source: TestDatabase,
    target: TestDatabase,
    { table = 'things', nulled = ['gone'] }: { table?: string; nulled?: string[] } = {},
  ): Promise<Record<string, boolean>> {
    const checks = await compared(source, target, [table], nulled);
    return Object.fromEntries(checks.map(({ kind, ok }) => [kind, ok]));
  }

  async function compared(
    source: TestDatabase,
    target: TestDatabase,
    tables: readonly string[],
    nulled: readonly string[] = [],
  ): Promise<readonly VerificationCheck[]> {
    const names = tables.map((table) => ({ schema: 'public', table }));
    const comparison = await withClients(source, target, async (from, to) => {
      const plans = (await describeTables(from, names)).map((description, index): TablePlan => {
        if (description === undefined) throw new Error(`table ${tables[index] ?? ''} does not exist`);
        return {
          index,
          name: description.name,
          source: description,
          target: undefined,
          columns: description.columns.map((column) => ({
            description: column,
            fill: { kind: nulled.includes(column.name) ? 'null' : 'preserve' },
          })),
          columnIndex: new Map(),
        };
      });
      const masks = new Map();
      const stagedAs = ({ name }: TablePlan) => name;
      return RowComparison.plan({ plans, masks, stagedAs, connections: 2 }, from, to);
    });
    const { signal } = new AbortController();
    const open = (database: TestDatabase, side: 'source' | 'target') => async () =>
      locatedSession(await openSession(parseConnectionUrl(database.url), side), { side });
    await comparison.readSource(open(source, 'source'), signal);
    const counts = tables.map((table) => `(SELECT count(*)::int FROM public.${table})`);
    const { rows } = await source.query(`SELECT ARRAY[${counts.join(', ')}] AS counts`);
    await comparison.readTarget(open(target, 'target'), signal);
    return comparison.checks(new Map((rows[0]?.['counts'] as number[]).entries()));
  }

  it('accepts the same rows in another order, for columns of any type', async () => {
    const source = await harness.database(TYPES + THINGS + ROWS);
    // Types and enum labels have other oids than on the source.
    const target = await harness.database(`CREATE TYPE earlier AS ENUM ('x', 'y', 'z');${TYPES}${THINGS}`);
    await carry(source, target, 'ORDER BY id DESC');
    expect(await verified(source, target)).toEqual({
      row_count: true,
      preserved_columns: true,
      nulled_columns: true,
    });
  });

  it('detects rows that were changed, lost, added or duplicated, and values that moved to another row', async () => {
    const source = await harness.database(TYPES + THINGS + ROWS);
    const target = await harness.database(TYPES + THINGS);
    await carry(source, target);
    const columns = (
      await source.query(
        "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'things'::regclass AND attnum > 0 AND attname NOT IN ('id', 'gone')",
      )
    ).rows.map(({ name }) => `"${String(name).replaceAll('"', '""')}"`);
    const corruptions: readonly (readonly [sql: string, ...kinds: VerificationKind[]])[] = [
      ...columns.map(
        (column) => [`UPDATE things SET ${column} = NULL WHERE id = 7`, 'preserved_columns'] as const,
      ),
      [`UPDATE things SET name = name || ' ' WHERE id = 7`, 'preserved_columns'],
      [`UPDATE things SET folded = 'fold' WHERE id = 7`, 'preserved_columns'],
      [
        `UPDATE things SET name = (SELECT name FROM things o WHERE o.id = 17 - things.id) WHERE id IN (8, 9)`,
        'preserved_columns',
      ],
      ['UPDATE things SET id = 8 WHERE id = 7', 'preserved_columns'],
      [`UPDATE things SET gone = 'not' WHERE id = 7`, 'nulled_columns'],
      ['DELETE FROM things WHERE id = 7', 'row_count', 'preserved_columns'],
      ['INSERT INTO things SELECT * FROM things WHERE id = 7', 'row_count', 'preserved_columns'],
      [
        'INSERT INTO things SELECT * FROM things WHERE id = 8; DELETE FROM things WHERE id = 7',
        'preserved_columns',
      ],
      ['SELECT'],
    ];
    // Each corruption has a table of its own, so that one comparison checks all of them.
    const tables = corruptions.map((_, i) => `things_${i}`);
    const copies = tables.map((table) => `CREATE TABLE ${table} AS TABLE things`).join('; ');
    await source.query(copies);
    await target.query(copies);
    for (const [i, [sql]] of corruptions.entries())
      await target.query(sql.replaceAll(/\bthings\b/g, `things_${i}`));
    const checks = await compared(source, target, tables, ['gone']);
    const failed = tables.map((_, index) =>
      checks.filter(({ tableIndex, ok }) => tableIndex === index && !ok).map(({ kind }) => kind),
    );
    expect(corruptions.map(([sql], i) => [sql, ...(failed[i] ?? [])])).toEqual(corruptions);
  });

  it('compares the text forms of values if the target has a wider type', async () => {
    const source = await harness.database(
      `CREATE TABLE t (a int, b smallint, c numeric(6,2), d timestamp(3), e varchar(9), f varchar, g char(5));
       INSERT INTO t SELECT n, -n, n / 3.0, '2020-01-01 12:00:00.123456', 'b a', '00' || n, 'x' FROM generate_series(1, 9) n; INSERT INTO t VALUES (NULL)`,
    );
    const target = await harness.database(
      'CREATE TABLE t (g varchar, f text, e varchar(12), d timestamp, c numeric, b numeric, a int8)',
    );
    await target.query(
      `INSERT INTO t SELECT 'x    ', '00' || n, 'b a', '2020-01-01 12:00:00.123', (n / 3.0)::numeric(6,2), -n, n FROM generate_series(1, 9) n; INSERT INTO t VALUES (NULL)`,
    );
    const check = () => verified(source, target, { table: 't', nulled: [] });
    expect(await check()).toEqual({ row_count: true, preserved_columns: true });
    await target.query('UPDATE t SET c = c * 1.000 WHERE a = 7');
    expect(await check()).toEqual({ row_count: true, preserved_columns: false });
  });

  it('distinguishes all values with different text forms, and no other values', async () => {
    const values: readonly (readonly [type: string, source: string, target: string, isEqual?: boolean])[] = [
      ['int8', '4294967297', '0'], ['int8', '-4294967296', '-1'], ['int8[]', "'{4294967297}'", "'{0}'"], ['amount', '1.50', '1.5'],
      ['timestamp', "'2000-01-01'::timestamp + 4294967297 * interval '1 us'", "'2000-01-01'"], ['time', "time '00:00' + 4294967297 * interval '1 us'", "'00:00'"],
      ['timestamptz', "'2000-01-01 00:00+00'::timestamptz + 4294967297 * interval '1 us'", "'2000-01-01 00:00+00'"], ['timetz', "'10:00+00'", "'11:00+01'"],
      ['numeric', '1.50', '1.5'], ['numeric', "'NaN'", "'Infinity'"], ['numeric', '0.0', '0'], ['numeric[]', "'{1.50}'", "'{1.5}'"],
      ['float8', "'-0'", '0'], ['float4', "'-0'", '0'], ['float8[]', "'{-0}'", "'{0}'"], ['bpchar', "'a '", "'a'"],
      ['interval', "'1 day -24:00'", "'0'"], ['interval', "'1 mon'", "'30 days'"], ['interval[]', "'{24:00}'", "'{1 day}'"],
      ['int[]', "'[2:3]={1,2}'", "'{1,2}'"], ['int[]', "'{{1,2},{3,4}}'", "'{1,2,3,4}'"], ['text[]', "'{NULL}'", `'{"NULL"}'`], ['text', 'NULL', "''"],
      ['jsonb', "'1.00'", "'1.0'"], ['jsonb', 'swapped(1, 65)', 'swapped(65, 1)'], ['jsonb[]', "'{1.00}'", "'{1.0}'"], ['jsonb', "'null'", 'NULL'],
      ['inet', "'10.0.0.1/8'", "'10.0.0.1'"], ['numrange', "'[1.0,2]'", "'[1,2]'"], ['json', `'{"a": 1}'`, `'{"a":1}'`],
      ['float8', "-('Infinity'::float8 - 'Infinity'::float8)", "'NaN'", true], ['int[]', "array_replace('{1,NULL}'::int[], NULL, 2)", "'{1,2}'", true],
      ['numeric(9,2)', '1.5', '1.50', true], ['char(3)', "'a'", "'a '", true], ['varbit', "'101'", "'101'", true], ['numeric', '10.0 - 10.00', '0.00', true],
    ]; // prettier-ignore
    const fill = (side: 1 | 2) => `
      CREATE DOMAIN amount AS numeric;
      CREATE FUNCTION swapped(int, int) RETURNS jsonb LANGUAGE sql AS $$
        SELECT jsonb_agg(CASE n WHEN $1 THEN 1 WHEN $2 THEN 65 ELSE n END ORDER BY n) FROM generate_series(1, 70) n $$;
      ${values.map((one, i) => `CREATE TABLE t${i} (v ${one[0]}); INSERT INTO t${i} SELECT ${one[side]};`).join('\n')}`;
    const [source, target] = [await harness.database(fill(1)), await harness.database(fill(2))];
    const checks = await compared(
      source,
      target,
      values.map((_, i) => `t${i}`),
    );
    const equal = checks.filter(({ kind }) => kind === 'preserved_columns').map(({ ok }) => ok);
    expect(values.map((value, i) => [value, equal[i]])).toEqual(
      values.map((value) => [value, value[3] === true]),
    );
  });

  it('gives two rows another sum of digests if they exchange their values in a column', async () => {
    const text = { type: 25, name: 'text' };
    const digest = digestExpression(['a', 'b'].map((name) => ({ name, source: text, target: text })));
    const database = await harness.database();
    const sumsOf = async (first: string, second: string) => {
      const { rows } = await database.query(
        `SELECT (SELECT sum(${digest})::text FROM (VALUES (${first}), (${second})) AS r (a, b)) AS sum FROM generate_series(1, 100) AS n`,
      );
      return rows.map(({ sum }) => sum);
    };
    const kept = await sumsOf("'a' || n, 'b' || n", "'c' || n, 'd' || n");
    const exchanged = await sumsOf("'a' || n, 'd' || n", "'c' || n, 'b' || n");
    // With a hash that is linear in the columns, about half of the pairs have equal sums.
    expect(exchanged.filter((sum, n) => sum === kept[n])).toEqual([]);
  });

  it('gives NULL and each value of a type a digest of its own', async () => {
    const types: readonly (readonly [type: string, ...values: string[]])[] = [
    ['bool', 'true', 'false'], ['int2', '0', '1', '-1', '32767', '-32768'], ['int4', '0', '1', '-1', '2147483647', '-2147483648'],
      ['int8', '0', '1', '-1', '4294967296', '-4294967297', '9223372036854775807', '-9223372036854775808'], ['oid', '0', '1', '4294967295'],
      ['numeric(9,2)', '0', '0.01', '-0.01', '1', '-1', '100', '10000', '0.1', '-10000', '9999999.99', 'NaN'],
      ['numeric(4,-2)', '0', '100', '-100', '10000', 'NaN'], ['numeric', '0', '0.00', '1', '-1', '1.0', '10000', 'NaN', 'Infinity', '-Infinity'],
      ['float8', '0', '-0', '1', '-1', '1e-300', 'NaN', 'Infinity', '-Infinity'], ['money', '0', '1.00', '-1.00', '42949672.96'],
      ['text', '', 'a', 'A', 'a ', 'NULL', 'null', '0'], ['varchar(5)', '', 'a', 'A', 'a '], ['char(3)', '', 'a', 'A'], ['name', '', 'a', 'A'], ['"char"', '', 'a', 'A'],
      ['bytea', '', '\\x00', '\\x0000', '\\xff'], ['uuid', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
      ['date', '2000-01-01', '1999-12-31', '2000-01-02', 'infinity', '-infinity', '4714-11-24 BC'],
      ['timestamp', '2000-01-01', '1999-12-31 23:59:59.999999', 'infinity', '-infinity', '2000-01-01 01:11:34.967296'],
      ['timestamptz', '2000-01-01', '1999-12-31 23:59:59.999999', 'infinity', '-infinity'], ['time', '00:00', '24:00', '01:11:34.967296'],
      ['timetz', '00:00+00', '01:00+01', '24:00+00', '00:00-00:00:01'], ['interval', '0', '1 day', '24:00', '30 days', '1 mon', '-1 mon', '-24:00', '1 us'],
      ['inet', '0.0.0.0', '0.0.0.0/0', '10.0.0.1', '10.0.0.1/8', '::', '::/0', '::10.0.0.1'], ['cidr', '0.0.0.0/32', '0.0.0.0/0', '10.0.0.0/8', '::/0'],
      ['macaddr', '00:00:00:00:00:00', '08:00:2b:01:02:03'], ['macaddr8', '00:00:00:00:00:00:00:00', '08:00:2b:ff:fe:01:02:03'],
      ['json', '1', '1.0', '{}', '[]', 'null', '"a"'], ['jsonb', '0', '0.0', '1', '-1', '[[1],2]', '[1,[2]]', '[1,2]', '{}', '[]', 'null', '"null"', '""', 'false', 'true'],
    ]; // prettier-ignore
    const sql = types.map(([type], i) => `CREATE TABLE t${i} (v ${type});`);
    const { url } = await harness.database(sql.join('\n'));
    const client = await connect(parseConnectionUrl(url), 'source');
    try {
      const tables = types.map((_, i) => ({ schema: 'public', table: `t${i}` }));
      const read = await readColumnTypes(client, tables);
      const counts = [];
      for (const [i, [type, ...values]] of types.entries()) {
        const table = `public.t${i}`;
        await client.query(`INSERT INTO ${table} SELECT pg_catalog.unnest($1::text[])::${type}`, [
          [...values, null],
        ]);
        const v = read[i]?.get('v');
        const digest = v && digestExpression([{ name: 'v', source: v, target: v }]);
        const { rows } = await client.query<{ n: number }>(
          `SELECT count(DISTINCT ${digest})::int AS n FROM ${table}`,
        );
        counts.push([type, rows[0]?.n]);
      }
      expect(counts).toEqual(types.map(([type, ...values]) => [type, values.length + 1]));
    } finally {
      await disconnect(client);
    }
  });

  it('counts rows of tables without columns and of partitions, but not of inheriting tables', async () => {
    const sql = `CREATE TABLE none (); CREATE TABLE parts (id int) PARTITION BY RANGE (id);
      CREATE TABLE p1 PARTITION OF parts FOR VALUES FROM (0) TO (10); CREATE TABLE p2 PARTITION OF parts DEFAULT;
      CREATE TABLE base (id int); CREATE TABLE heir (more int) INHERITS (base);
      INSERT INTO none SELECT FROM generate_series(1, 3); INSERT INTO parts SELECT generate_series(1, 20); INSERT INTO base VALUES (1);`;
    const source = await harness.database(sql);
    const target = await harness.database(sql);
    await target.query('INSERT INTO heir VALUES (2, 3)');
    for (const table of ['none', 'parts', 'base']) {
      expect(Object.values(await verified(source, target, { table, nulled: [] }))).not.toContain(false);
    }
    await target.query('DELETE FROM p2 WHERE id = 15');
    expect(await verified(source, target, { table: 'parts', nulled: [] })).toMatchObject({
      row_count: false,
    });
  });

  it('detects references without a row in foreign keys that the server does not enforce', async () => {
    const schema = `CREATE TABLE parents (a int, b text, PRIMARY KEY (a, b));
      CREATE TABLE kids (id int, a int, b text, FOREIGN KEY (a, b) REFERENCES parents);
      CREATE TABLE late (id int PRIMARY KEY, parent int, other int REFERENCES late);`;
    const notValid = 'ALTER TABLE late ADD FOREIGN KEY (parent) REFERENCES late NOT VALID;';
    const source = await harness.database(
      `${schema} INSERT INTO late VALUES (1, 9, 1), (2, NULL, NULL); ${notValid}`,
    );
    const target = await harness.database(
      `${schema} INSERT INTO late VALUES (1, 9, 1), (2, NULL, NULL); ${notValid}`,
    );
    const plans = ['parents', 'kids', 'late'].map((table, index) => ({
      index,
      name: { schema: 'public', table },
      columns: [],
    }));
    const check = () =>
      withClients(source, target, (from, to) =>
        verifyReferences({ plans, source: from, target: to, log: TEST_LOG }),
      );
    expect(await check()).toEqual([
      { kind: 'foreign_keys', tableIndex: 1, ok: true, lookedAt: 1 },
      { kind: 'foreign_keys', tableIndex: 2, ok: true, lookedAt: 2 },
    ]);
    await target.query(`ALTER TABLE late DISABLE TRIGGER ALL; INSERT INTO late VALUES (3, 8, NULL)`);
    expect((await check()).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('checks the foreign keys from and to the partitioned tables above a listed partition', async () => {
    const schema = `CREATE TABLE top (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE top_1 PARTITION OF top FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (id);
      CREATE TABLE top_1a PARTITION OF top_1 DEFAULT; CREATE TABLE top_2 PARTITION OF top DEFAULT;
      CREATE TABLE kid (id int, top int REFERENCES top, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      CREATE TABLE kid_1 PARTITION OF kid FOR VALUES FROM (0) TO (100); CREATE TABLE kid_2 PARTITION OF kid DEFAULT;
      CREATE TABLE own (id int, kid int); ALTER TABLE own ADD FOREIGN KEY (kid) REFERENCES kid;
      INSERT INTO top VALUES (1), (200); INSERT INTO kid VALUES (1, 1), (2, 200), (200, 1); INSERT INTO own VALUES (1, 1), (2, 200)`;
    const [source, target] = [await harness.database(schema), await harness.database(schema)];
    const check = (...tables: readonly string[]) => {
      const plans = tables.map((table, index) => ({
        ...{ index, name: { schema: 'public', table }, columns: [] },
      }));
      return withClients(source, target, async (from, to) => {
        const request = { plans, source: from, target: to, log: TEST_LOG, trustsServer: false };
        const checks = await verifyReferences(request);
        return checks.map((check) => [
          ...[tables[check.tableIndex], check.ok, 'lookedAt' in check ? check.lookedAt : undefined],
        ]);
      });
    };
    const bypassed = (sql: string) =>
      target.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
    expect(await check('kid_1', 'kid_2')).toEqual([
      ['kid_1', true, 2],
      ['kid_2', true, 1],
    ]);
    // Rows of a table that is not listed count only if they reference a listed table.
    await bypassed('INSERT INTO kid VALUES (300, 5)');
    expect(await check('kid_1')).toEqual([['kid_1', true, 2]]);
    expect(await check('kid_2')).toEqual([['kid_2', false, 2]]);
    expect(await check('kid')).toEqual([['kid', false, 2]]);
    expect(await check('top_1a')).toEqual([['top_1a', false, 1]]);
    await bypassed('DELETE FROM kid WHERE id = 300; DELETE FROM kid_1 WHERE id = 1');
    expect(await check('kid_1')).toEqual([['kid_1', false, 2]]);
    expect(await check('own', 'kid_2')).toEqual([
      ['own', false, 1],
      ['kid_2', true, 1],
    ]);
  });

  it('detects sequences whose next value already occurs in a column, in both directions and for other types', async () => {
    const target = await harness.database(
      `CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, n serial, plain int); CREATE TABLE none (id int);
       CREATE SEQUENCE down INCREMENT -1; CREATE SEQUENCE code MAXVALUE 90;
       CREATE TABLE more (a numeric DEFAULT nextval('down'), b text DEFAULT 'c' || nextval('code'));
       INSERT INTO t (n, plain) SELECT 5, 1; SELECT setval('t_n_seq', 5); INSERT INTO more SELECT -n, 'c' || n FROM generate_series(1, 4) n;
       SELECT setval('down', -4), setval('code', 4)`,
    );
    const plans = ['t', 'none', 'more'].map((table, index) => ({ index, name: { schema: 'public', table } }));
    const used = new Map([['"public"."code"', 4n]]);
    const check = async (expected: ExpectedSequences = { used }) => {
      const checks = await withClients(target, target, (_, to) => verifySequences(plans, to, expected));
      return checks.map(({ tableIndex, ok }) => [tableIndex, ok]);
    };
    const after = async (sql: string) => {
      await target.query(sql);
      return check();
    };
    const fails = (index: number) => [0, 2].map((one) => [one, one !== index]);
    expect(await check()).toEqual(fails(-1));
    expect(await after(`SELECT setval('t_n_seq', 5, false)`)).toEqual(fails(0));
    expect(await after(`SELECT setval('t_n_seq', 4)`)).toEqual(fails(0));
    expect(await after(`SELECT setval('t_n_seq', 5), setval('down', -3)`)).toEqual(fails(2));
    expect(await after(`SELECT setval('down', -4), setval('code', 4, false)`)).toEqual(fails(2));
    used.set('"public"."code"', 90n);
    expect(await after(`SELECT setval('code', 90, false)`)).toEqual(fails(2));
    expect(await after(`SELECT setval('code', 90)`)).toEqual(fails(-1));
    // The last row leaves no value, so the values that the source has returned decide.
    used.set('"public"."t_n_seq"', 6n);
    expect(await after(`INSERT INTO t (n) VALUES (2147483647); SELECT setval('t_n_seq', 5)`)).toEqual(
      fails(0),
    );
    expect(await after(`SELECT setval('t_n_seq', 6)`)).toEqual(fails(-1));
    // Another sequence feeds the column of a partition.
    await target.query(`DROP TABLE none; CREATE TABLE none (id serial) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF none DEFAULT;
      CREATE SEQUENCE "S '1" START 500; ALTER TABLE part ALTER id SET DEFAULT nextval('"S ''1"');
      INSERT INTO none DEFAULT VALUES; INSERT INTO part DEFAULT VALUES`);
    used.set('"public"."none_id_seq"', 1n).set(`"public"."S '1"`, 500n);
    const all = [0, 1, 2].map((index) => [index, true]);
    expect(await check()).toEqual(all);
    expect(await after(`SELECT setval('none_id_seq', 1, false)`)).toEqual(all.with(1, [1, false]));
    expect(await after(`SELECT setval('none_id_seq', 1), setval('"S ''1"', 499)`)).toEqual(
      all.with(1, [1, false]),
    );
    // Without the values that the source has returned, only the next value of such a sequence counts.
    await target.query(`SELECT setval('t_n_seq', 2147483647), setval('"S ''1"', 500)`);
    expect(await check({})).toEqual(all);
    await target.query(`SELECT setval('"S ''1"', 500, false)`);
    expect(await check({})).toEqual(all.with(1, [1, false]));
  });

  it('detects sequences behind, with which only views, rules and functions write rows of a table', async () => {
    const writers: Readonly<Record<string, string>> = {
      def: `CREATE VIEW def_v AS SELECT d.* FROM (SELECT * FROM def) d; CREATE VIEW def_w AS TABLE def_v; ALTER VIEW def_w ALTER id SET DEFAULT nextval('def_seq')`,
      ins: `CREATE VIEW ins_v AS SELECT i.id FROM ins i JOIN none USING (id); CREATE TRIGGER t INSTEAD OF INSERT ON ins_v FOR EACH ROW EXECUTE FUNCTION add_row()`,
      rul: `CREATE RULE r AS ON UPDATE TO rul DO ALSO INSERT INTO none VALUES (nextval('rul_seq'))`,
      vru: `CREATE VIEW "V" AS SELECT 'x ('::text AS x, id FROM vru; CREATE RULE r AS ON INSERT TO "V" DO INSTEAD INSERT INTO vru VALUES (nextval('vru_seq'))`,
      fun: `CREATE FUNCTION fun_row() RETURNS void LANGUAGE sql SET search_path = public AS $$ INSERT INTO fun VALUES (nextval('fun_seq')) $$`,
      hel: `CREATE FUNCTION "Hel next"() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT nextval('hel_seq'); END; CREATE FUNCTION hel_row() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO hel VALUES (public."Hel next"()); END $$`,
      ato: `CREATE PROCEDURE ato_row() LANGUAGE sql BEGIN ATOMIC INSERT INTO ato VALUES (nextval('ato_seq')); END`,
    };
    const tables = [...Object.keys(writers), 'none', 'funny'];
    const target = await harness.database(`
      CREATE FUNCTION add_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE '%', nextval('public.ins_seq'); END $$;
      ${['none', 'funny'].map((name) => `CREATE TABLE ${name} (id int); CREATE SEQUENCE ${name}_seq;`).join('')}
      CREATE TABLE locked (id int); CREATE SEQUENCE ato_locked; CREATE FUNCTION funny_row() RETURNS void LANGUAGE sql BEGIN ATOMIC INSERT INTO locked VALUES (nextval('ato_locked')); END;
      CREATE VIEW apart AS SELECT 'FROM public.none ' AS text; ALTER VIEW apart ALTER text SET DEFAULT nextval('none_seq')::text;
      ${Object.entries(writers)
        .map(([name, sql]) => `CREATE TABLE ${name} (id int); CREATE SEQUENCE ${name}_seq; ${sql};`)
        .join('\n')}`);
    const plans = tables.map((table, index) => ({ index, name: { schema: 'public', table } }));
    const used = new Map(tables.map((table) => [`"public"."${table}_seq"`, 1n]));
    const check = async () =>
      withClients(target, target, async (_, to) => {
        await to.query("SET lock_timeout = '100ms'");
        const code = await readWriterCode(to, plans);
        const checks = await verifySequences(plans, to, { used, writers: code });
        return Object.fromEntries(checks.map(({ tableIndex, ok }) => [tables[tableIndex], ok]));
      });
    const all = (ok: boolean) => Object.fromEntries(Object.keys(writers).map((name) => [name, ok]));
    // The view that is written to joins this table.
    expect(await check()).toEqual({ ...all(false), none: false });
    for (const table of tables) await target.query(`SELECT setval('${table}_seq', 1)`);
    expect(await check()).toEqual({ ...all(true), none: true });
    const holder = await connect(parseConnectionUrl(target.url), 'target');
    await holder.query(
      'BEGIN; LOCK TABLE public.locked, public.apart, public.def_v IN ACCESS EXCLUSIVE MODE',
    );
    expect(await check()).toEqual({ ...all(true), none: true });
    await disconnect(holder);
  });

  it('is part of every job', async () => {
    const source = await harness.database(
      `CREATE TABLE teams (id serial PRIMARY KEY, title text, secret text);
       CREATE TABLE people (id int PRIMARY KEY, team int REFERENCES teams, name text);
       INSERT INTO teams (title, secret) VALUES ('a', 's'), ('b', NULL); INSERT INTO people VALUES (1, 1, 'Ann'), (2, NULL, NULL);`,
    );
    const target = await harness.database('CREATE TABLE people (name text, team int, id int PRIMARY KEY)');
    const rules = {
      teams: { secret: { generator: 'template', pattern: 'x' } },
      people: { name: { generator: 'en_US/first_names' } },
    };
    const outcome = await harness.run(harness.command(source.url, target.url, rules));
    expect(outcome.failure).toBeUndefined();
    const rows = { source: 2, copied: 2, target: 2 };
    expect(outcome.completed?.verification.checks).toEqual([
      { kind: 'row_count', tableIndex: 0, ok: true, rows },
      { kind: 'preserved_columns', tableIndex: 0, ok: true, lookedAt: 2 },
      { kind: 'row_count', tableIndex: 1, ok: true, rows },
      { kind: 'preserved_columns', tableIndex: 1, ok: true, lookedAt: 2 },
      { kind: 'masked_columns', tableIndex: 1, ok: true, lookedAt: 1 },
      { kind: 'sequences', tableIndex: 0, ok: true, lookedAt: 1 },
    ]);
    expect(outcome.completed?.phases.map(({ phase }) => phase)).toEqual([
      'preflight',
      'copying',
      'verifying',
      'indexing',
      'switching',
    ]);
  });

  it('reads the rows of a table back while its index is built', async () => {
    // The function of the index takes a lock. On the target, the test holds this lock, so the index build
    // waits.
    const source = await harness.database(
      `CREATE FUNCTION held(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN $1; END $$;
       CREATE TABLE t (id int PRIMARY KEY, name text); CREATE INDEX t_held ON t (held(id)); INSERT INTO t VALUES (1, 'a'), (2, 'b')`,
    );
    const target = await harness.database();
    const holder = await connect(parseConnectionUrl(target.url), 'target');
    // Before the copy, the job evaluates the function once.
    const reached = async (step: string): Promise<void> => {
      if (step === 'staging_created') await holder.query('SELECT pg_advisory_lock(7)');
    };
    const reported = new Set<string>();
    const command = harness.command(source.url, target.url, { t: {} });
    const running = harness.run(command, { reached }, new AbortController().signal, ({ phase }) =>
      reported.add(phase),
    );
    await waitFor('only the index to be left', () => Promise.resolve(reported.has('indexing')));
    await holder.query('SELECT pg_advisory_unlock(7)');
    await holder.end();
    const { completed } = await running;
    expect(completed?.verification.checks.every(({ ok }) => ok)).toBe(true);
    expect(completed?.tables).toMatchObject([{ state: 'completed' }]);
  });

  const WORKERS = [
    ['only the target', 4, { source: false, target: true }],
    ['neither server', 2, { source: false, target: false }],
  ] as const;
  inBoth.each(casesOf(WORKERS, 1))(
    'lets %s read rows with parallel workers if a job has %d connections',
    async (_, connections, expected) => {
      const source = await harness.database('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
      const target = await harness.database();
      const spy = jest.spyOn(Client.prototype, 'query');
      try {
        const { copy } = harness.environment();
        const command = harness.command(source.url, target.url, { t: {} });
        const outcome = await harness.run(command, { copy: { ...copy, connections } });
        expect(outcome.failure).toBeUndefined();
        const sent = spy.mock.calls.map(([sql], i) => ({
          sql: String(sql),
          client: spy.mock.contexts[i] as Client,
        }));
        const mayUseWorkers = ({ name }: TestDatabase) => {
          const read = sent.findIndex(
            ({ sql, client }) => client.database === name && sql.includes('hash_record_extended'),
          );
          const before = sent.slice(0, read).filter(({ client }) => client === sent[read]?.client);
          return !before.some(({ sql }) => sql === 'SET max_parallel_workers_per_gather = 0');
        };
        expect({ source: mayUseWorkers(source), target: mayUseWorkers(target) }).toEqual(expected);
      } finally {
        spy.mockRestore();
      }
    },
  );

  const READ: readonly [string, Rules][] = [
    ['read in parts', {}],
    ['read in the order of its key', { name: { type: 'svc', algorithm: 'sequence' } }],
  ];
  inBoth.each(casesOf(READ.toReversed(), 1))(
    'compares the partitions that the job copied of a table that is %s',
    async (_, rules) => {
      const source = await harness.database(`
      CREATE TABLE p (id int, kind text, name text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE p_a PARTITION OF p FOR VALUES IN ('a');
      CREATE TABLE p_b (LIKE p INCLUDING ALL);
      CREATE TABLE child (id int, kind text, FOREIGN KEY (id, kind) REFERENCES p);
      INSERT INTO p SELECT i, 'a', 'n' || i FROM generate_series(1, 20) i; INSERT INTO p_b VALUES (1, 'b', 'n');
      INSERT INTO child SELECT id, kind FROM p`);
      const target = await harness.targetDatabase();
      const id = { type: 'svc', algorithm: 'int_between', params: { min: 100, max: 999 } };
      const outcome = await harness.run(
        harness.command(source.url, target.url, { p: { id, ...rules }, child: {} }),
        {
          reached: async (step) => {
            if (step !== 'staging_created') return;
            await source.query("ALTER TABLE p ATTACH PARTITION p_b FOR VALUES IN ('b')");
          },
        },
      );
      expect(outcome.failure).toBeUndefined();
      expect(await rowsOf(target, 'p')).toHaveLength(20);
    },
  );

  inBoth.each(casesOf(READ, 1))(
    'finds a partition that the job overlooked, of a table that is %s',
    async (_, rules) => {
      const source = await harness.database(`
      CREATE TABLE p (id int, kind text, name text, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
      CREATE TABLE p_a PARTITION OF p FOR VALUES IN ('a');
      CREATE TABLE p_b PARTITION OF p DEFAULT PARTITION BY LIST (kind); CREATE TABLE p_c PARTITION OF p_b DEFAULT;
      INSERT INTO p SELECT i, 'a', 'n' || i FROM generate_series(1, 20) i; INSERT INTO p VALUES (1, 'b', 'n')`);
      const target = await harness.targetDatabase();
      const query = Client.prototype.query as (...args: unknown[]) => unknown;
      const spy = jest.spyOn(Client.prototype, 'query');
      spy.mockImplementation(async function (this: Client, ...args: unknown[]) {
        const found = (await query.apply(this, args)) as { rows: { name?: string }[] };
        if (String(args[0]).includes('pg_relation_size'))
          found.rows = found.rows.filter(({ name }) => name !== 'p_c');
        return found;
      });
      try {
        const { failure } = await harness.run(harness.command(source.url, target.url, { p: rules }));
        expect(failure?.code).toBe('verification_failed');
        expect(failure?.verification?.checks[0]).toEqual({
          ...({ kind: 'row_count', tableIndex: 0, ok: false } as const),
          rows: { source: 21, copied: 20, target: 20 },
        });
      } finally {
        spy.mockRestore();
      }
    },
  );

  const TARGETS = [
    ['an existing table', 'CREATE TABLE t (id int PRIMARY KEY, name text)'],
    ['a missing table', ''],
  ] as const;
  inBoth.each(casesOf(TARGETS, 1))(
    'fails a job whose copied rows for %s differ from the source, and leaves the target unchanged',
    async (_, existing) => {
      const source = await harness.database(
        "CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'secret of one'), (2, 'b')",
      );
      const target = await harness.database(existing);
      const before = await target.query(PUBLIC);
      const corrupt = async () => {
        const { rows } = await target.query(
          "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relname IN ('t', 'rows_0') AND relnamespace <> 'public'::regnamespace",
        );
        await target.query(`UPDATE ${String(rows[0]?.['name'])} SET name = 'other' WHERE id = 1`);
      };
      const outcome = await harness.run(harness.command(source.url, target.url, { t: {} }), {
        reached: (step) => (step === 'all_chunks_committed' ? corrupt() : undefined),
      });
      expect(outcome.completed).toBeUndefined();
      expect(outcome.failure).toEqual({
        code: 'verification_failed',
        side: 'target',
        tableIndex: 0,
        verification: {
          checks: [
            { kind: 'row_count', tableIndex: 0, ok: true, rows: { source: 2, copied: 2, target: 2 } },
            { kind: 'preserved_columns', tableIndex: 0, ok: false, lookedAt: 2 },
          ],
        },
      });
      expect(JSON.stringify(outcome)).not.toContain('secret');
      expect((await target.query(PUBLIC)).rows).toEqual(before.rows);
      expect((await target.query(STAGED)).rows).toEqual([]);
    },
  );
});

const PUBLIC = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1";
const STAGED = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'understudy%'";

async function withClients<T>(
  source: TestDatabase,
  target: TestDatabase,
  work: (source: LocatedClient, target: LocatedClient) => Promise<T>,
): Promise<T> {
  const from = await connect(parseConnectionUrl(source.url), 'source');
  const to = await connect(parseConnectionUrl(target.url), 'target');
  try {
    return await work(located(from, { side: 'source' }), located(to, { side: 'target' }));
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Copies the rows of a table and converts each value to text, like COPY in text format. */
async function carry(
  source: TestDatabase,
  target: TestDatabase,
  order = '',
  table = 'things',
): Promise<void> {
  await withClients(source, target, async (from, to) => {
    const names = (
      await from.query<{ name: string }>(
        `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum`,
        [`public.${table}`],
      )
    ).rows.map(({ name }) => name);
    const texts = names
      .map((name) => `CASE WHEN ${name} IS NOT NULL THEN format('%s', ${name}) END`)
      .join(', ');
    const found = await from.query<Record<string, string | null>>({
      text: `SELECT ${texts} FROM public.${table} ${order}`,
      rowMode: 'array',
    } as unknown as string);
    const parameters = names.map((_, i) => `$${i + 1}`).join(', ');
    for (const row of found.rows) {
      await to.query(
        `INSERT INTO public.${table} (${names.join(', ')}) VALUES (${parameters})`,
        row as unknown as string[],
      );
    }
  });
}
