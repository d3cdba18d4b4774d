import { Client } from 'pg';
import type { TestDatabase } from '@understudy/testing';
import { MAX_PROBLEMS } from '../../../src/plan/problems/problem-list.js';
import type { SyncProblem } from '@understudy/sync-job';
import { rowsOf, SyncHarness } from '../sync-harness.js';

describe('the preflight of a job', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const problemsOf = async (
    source: TestDatabase,
    target: TestDatabase,
    tables: Parameters<SyncHarness['command']>[2],
    environment: Parameters<SyncHarness['run']>[1] = {},
  ): Promise<readonly SyncProblem[]> => {
    const { failure } = await harness.run(harness.command(source.url, target.url, tables), environment);
    return failure?.problems ?? [];
  };

  describe('of names that belong to no table', () => {
    const KINDS = `
      CREATE TABLE t (id int); CREATE VIEW v AS SELECT 1 AS id; CREATE MATERIALIZED VIEW m AS SELECT 1 AS id;
      CREATE SEQUENCE s; CREATE TYPE c AS (id int); CREATE INDEX i ON t (id);
      CREATE TABLE p (id int) PARTITION BY RANGE (id); CREATE INDEX pi ON p (id);
      CREATE FOREIGN DATA WRAPPER w; CREATE SERVER w FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE f (id int) SERVER w;
    `;
    const expected = {
      v: 'view',
      m: 'materialized_view',
      s: 'sequence',
      c: 'composite_type',
      i: 'index',
      pi: 'index',
      f: 'foreign_table',
    };
    const listed = Object.fromEntries(Object.keys(expected).map((name) => [name, {}]));

    it('reports for each the kind of relation that the source has', async () => {
      const source = await harness.database(KINDS);
      const target = await harness.database();
      expect(await problemsOf(source, target, listed)).toEqual(
        Object.values(expected).map((relationKind, tableIndex) => ({
          ...{ code: 'not_a_table', side: 'source', tableIndex, relationKind },
        })),
      );
    });

    it('reports the kind of relation of the target that has the name of a table to create', async () => {
      const source = await harness.database(
        Object.keys(expected)
          .map((name) => `CREATE TABLE ${name} (id int)`)
          .join('; '),
      );
      const target = await harness.database(KINDS);
      expect(await problemsOf(source, target, listed)).toEqual(
        Object.values(expected).map((relationKind, tableIndex) => ({
          ...{ code: 'not_a_table', side: 'target', tableIndex, relationKind },
        })),
      );
    });

    it('treats the tables of PostgreSQL itself and temporary tables of other sessions as unknown', async () => {
      const source = await harness.database(
        'SET allow_system_table_mods = on; CREATE TABLE information_schema.planted (id int); RESET allow_system_table_mods',
      );
      const target = await harness.database();
      const holder = new Client({ connectionString: source.url });
      await holder.connect();
      try {
        const { rows } = await holder
          .query<{ schema: string }>(
            'CREATE TEMP TABLE mine (id int); SELECT pg_my_temp_schema()::regnamespace::text AS schema',
          )
          .then((results) => (results as unknown as { rows: { schema: string }[] }[])[1] ?? { rows: [] });
        const system = [
          ...[
            'pg_catalog.pg_authid',
            'pg_catalog.pg_class',
            'pg_catalog.pg_statistic',
            'pg_catalog.pg_tables',
          ],
          ...['information_schema.sql_features', 'information_schema.tables', 'information_schema.planted'],
          'pg_toast.pg_toast_1255',
        ];
        const names = [...system, `${rows[0]?.schema ?? ''}.mine`];
        const problems = await problemsOf(
          source,
          target,
          Object.fromEntries(names.map((name) => [name, {}])),
        );
        expect(problems.map(({ code, relationKind }) => [code, relationKind])).toEqual([
          ...system.map(() => ['table_not_found', undefined]),
          ['not_a_table', 'temporary_table'],
        ]);
      } finally {
        await holder.end();
      }
    });
  });

  describe('of existing tables', () => {
    it('reports the differences of all tables and columns together', async () => {
      const source = await harness.database(
        'CREATE TABLE a (id int, gone text, t text, g int GENERATED ALWAYS AS (id) STORED, n int); CREATE TABLE b ("Odd" text COLLATE "C")',
      );
      const target = await harness.database(
        `CREATE TABLE a (id int, t varchar(3), g int, extra int, n int NOT NULL); CREATE TABLE b ("Odd" text COLLATE "POSIX");
         INSERT INTO a VALUES (1, 'old', 1, 1, 1)`,
      );
      await source.query('INSERT INTO a (id) VALUES (1)');
      const at = { code: 'column_mismatch', side: 'target', tableIndex: 1 };
      expect(await problemsOf(source, target, { missing: {}, a: { t: { preserve: true } }, b: {} })).toEqual([
        { code: 'table_not_found', side: 'source', tableIndex: 0 },
        { ...at, column: 'gone', difference: 'missing' },
        {
          ...at,
          columnIndex: 0,
          difference: 'type',
          sourceType: { name: 'text' },
          targetType: { name: 'varchar', length: 3 },
        },
        { ...at, column: 'g', difference: 'generated' },
        { ...at, column: 'extra', difference: 'extra' },
        {
          code: 'constraint_violation',
          side: 'target',
          tableIndex: 1,
          column: 'n',
          constraintKind: 'not_null',
        },
        { ...at, tableIndex: 2, column: 'Odd', difference: 'collation' },
      ]);
      expect(await rowsOf(target, 'a')).toEqual(['old']);
    });

    it('reports these differences together with the invalid rules of all tables', async () => {
      const source = await harness.database(
        'CREATE TABLE a (x text, y text); CREATE TABLE b (id int, g int GENERATED ALWAYS AS (id) STORED)',
      );
      const target = await harness.database('CREATE TABLE a (x text, y text, z text)');
      const rule = { generator: 'template', pattern: 'x' };
      const tables = {
        a: { gone: rule, x: { nonsense: 1 }, y: { json: { p: rule } } },
        missing: {},
        b: { g: rule, lost: rule },
      };
      const notFound = { code: 'column_not_found', side: 'source' };
      expect(await problemsOf(source, target, tables)).toEqual([
        { ...notFound, tableIndex: 0, columnIndex: 0 },
        { code: 'rule_invalid', tableIndex: 0, columnIndex: 1 },
        { code: 'json_paths_refused', tableIndex: 0, columnIndex: 2 },
        { code: 'column_mismatch', side: 'target', tableIndex: 0, column: 'z', difference: 'extra' },
        { code: 'table_not_found', side: 'source', tableIndex: 1 },
        { code: 'column_generated', tableIndex: 2, columnIndex: 0 },
        { ...notFound, tableIndex: 2, columnIndex: 1 },
      ]);
    });

    it('reports all rules that cannot be compiled, in all tables', async () => {
      const source = await harness.database(
        'CREATE TABLE a (x text, y text); CREATE TABLE b (id int, t text)',
      );
      const target = await harness.database();
      const unknown = { generator: 'xx_XX/no_such' };
      const reaching = { generator: 'template', pattern: '{{id}}' };
      const tables = { a: { x: unknown, y: unknown }, b: { t: reaching } };
      expect(await problemsOf(source, target, tables)).toEqual([
        { code: 'model_not_found', tableIndex: 0, columnIndex: 0 },
        { code: 'model_not_found', tableIndex: 0, columnIndex: 1 },
        { code: 'rule_invalid', tableIndex: 1, columnIndex: 0 },
      ]);
      expect(await rowsOf(source, 'b')).toEqual([]);
    });

    it('accepts target types that are at least as wide as the source types, and reports all other types', async () => {
      const types: readonly (readonly [source: string, target: string, takes: boolean])[] = [
        ['int', 'int', true], ['int', 'bigint', true], ['smallint', 'int', true], ['bigint', 'numeric', true], ['bigint', 'int', false],
        ['int', 'numeric(4)', false], ['int', 'text', false], ['numeric(6,2)', 'numeric', true], ['numeric', 'numeric(6,2)', false], ['numeric(6,2)', 'numeric(7,2)', false],
        ['varchar(5)', 'varchar(5)', true], ['varchar(5)', 'varchar(6)', true], ['varchar(5)', 'varchar', true], ['varchar(5)', 'text', true], ['varchar', 'varchar(9)', false],
        ['text', 'varchar', true], ['text', 'varchar(9)', false], ['char(3)', 'text', true], ['char(3)', 'char(4)', false], ['text', 'char(4)', false],
        ['timestamp', 'timestamptz', false], ['timestamp(3)', 'timestamp', true], ['timestamp', 'timestamp(3)', false], ['json', 'jsonb', false],
        ['int[]', 'int[]', true], ['int[]', 'bigint[]', false], ['mood', 'mood', true], ['mood[]', 'mood[]', true], ['text', 'mood', false],
        ['less', 'less', false], ['less[]', 'less[]', false], ['bit(3)', 'bit(4)', false], ['public.citext', 'elsewhere.citext', true], ['public.citext[]', 'elsewhere.citext[]', true],
        ['turned', 'turned', false], ['turned[]', 'turned[]', false], ['text COLLATE blunt', 'text COLLATE blunt', false], ['text COLLATE same', 'text COLLATE same', true],
      ]; // prettier-ignore
      const table = (side: 0 | 1) =>
        `CREATE TABLE t (${types.map((pair, i) => `c${i} ${pair[side]}`).join(', ')})`;
      const source = await harness.database(
        `CREATE EXTENSION citext; CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TYPE less AS ENUM ('a', 'b'); CREATE TYPE turned AS ENUM ('a', 'b');
         CREATE COLLATION blunt (provider = icu, locale = 'und-u-ks-level2', deterministic = false); CREATE COLLATION same FROM "C"; ${table(0)}`,
      );
      const target = await harness.database(
        `CREATE SCHEMA elsewhere; CREATE EXTENSION citext SCHEMA elsewhere; CREATE TYPE mood AS ENUM ('a', 'c', 'b'); CREATE TYPE less AS ENUM ('a'); CREATE TYPE turned AS ENUM ('b', 'a');
         CREATE COLLATION blunt FROM "C"; CREATE COLLATION same FROM "C"; ${table(1)}`,
      );
      const problems = await problemsOf(source, target, { t: {} });
      expect(problems.map(({ column }) => column)).toEqual(
        types.flatMap(([, , takes], i) => (takes ? [] : [`c${i}`])),
      );
      expect(problems.map(({ difference }) => difference)).toContain('enum_values');
    });

    it('compares the definitions of types with equal names, also if the target has only the types', async () => {
      // A type with C functions, here those of PostgreSQL.
      const base = (name: string, like: string, code = like) =>
        `TYPE ${name}; CREATE FUNCTION ${name}_in(cstring) RETURNS ${name} LANGUAGE internal IMMUTABLE STRICT AS '${code}in';
         CREATE FUNCTION ${name}_out(${name}) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS '${code}out';
         CREATE TYPE ${name} (INPUT = ${name}_in, OUTPUT = ${name}_out, LIKE = ${like})`;
      const types: readonly (readonly [type: string, source: string, target: string, takes: boolean])[] = [
        ['pair', 'TYPE pair AS (a text, b text)', 'TYPE pair AS (b text, a text)', false],
        ['pair[]', 'DOMAIN any_a AS int', 'DOMAIN any_a AS int', false],
        ['short', 'TYPE short AS (a int, b int)', 'TYPE short AS (a int)', false],
        ['cut', 'TYPE cut AS (n numeric(8,3))', 'TYPE cut AS (n numeric(8,1))', false],
        ['wide', 'TYPE wide AS (n numeric(8,3), i int)', 'TYPE wide AS (n numeric, i int8)', true],
        ['late', 'TYPE late AS (gone int, n int); ALTER TYPE late DROP ATTRIBUTE gone', 'TYPE late AS (n int)', true],
        ['amount', 'DOMAIN amount AS numeric(8,3)', 'DOMAIN amount AS numeric(8,1)', false],
        ['amounts', 'DOMAIN amounts AS amount[]', 'DOMAIN amounts AS amount[]', false],
        ['nested', 'TYPE nested AS (a amounts[])', 'TYPE nested AS (a amounts[])', false],
        ['doc', 'DOMAIN doc AS json', 'DOMAIN doc AS jsonb', false],
        ['ratio', 'DOMAIN ratio AS float8', 'DOMAIN ratio AS float4', false],
        ['moment', 'DOMAIN moment AS timestamptz', 'DOMAIN moment AS timestamptz(0)', false],
        ['word', 'DOMAIN word AS text COLLATE "C"', 'DOMAIN word AS text COLLATE "POSIX"', false],
        ['checked', 'DOMAIN checked AS int', 'DOMAIN checked AS int CHECK (value > 0)', true],
        ['other', 'DOMAIN other AS text', "TYPE other AS ENUM ('a')", false],
        ['feel', "TYPE feel AS ENUM ('a', 'b'); CREATE TYPE feels AS (f feel)", "TYPE feel AS ENUM ('a'); CREATE TYPE feels AS (f feel)", false],
        ['feels', 'DOMAIN any_b AS int', 'DOMAIN any_b AS int', false],
        ['span', 'TYPE span AS RANGE (subtype = int8)', 'TYPE span AS RANGE (subtype = int4)', false],
        ['spans', 'DOMAIN spans AS span', 'DOMAIN spans AS span', false],
        ['equal', 'TYPE equal AS (w wide, s int4range)', 'TYPE equal AS (w wide, s int4range)', true],
        ['things', 'TABLE things (id int, w wide)', 'TABLE things (id int, w wide)', true],
        ['same', base('same', 'int4'), base('same', 'int4'), true],
        ['length', base('length', 'int4'), base('length', 'int2'), false],
        ['code[]', base('code', 'int4'), base('code', 'int4', 'oid'), false],
        ['turn', "TYPE turn_of AS ENUM ('a', 'b'); CREATE TYPE turn AS RANGE (subtype = turn_of)", "TYPE turn_of AS ENUM ('b', 'a'); CREATE TYPE turn AS RANGE (subtype = turn_of)", false],
        ['level', "COLLATION folds (provider = icu, locale = 'und-u-ks-level1', deterministic = false); CREATE DOMAIN level AS text COLLATE folds", "COLLATION folds (provider = icu, locale = 'und-u-ks-level2', deterministic = false); CREATE DOMAIN level AS text COLLATE folds", false],
      ]; // prettier-ignore
      const define = (side: 1 | 2) => types.map((one) => `CREATE ${one[side]};`).join('\n');
      const table = `CREATE TABLE t (${types.map(([type], i) => `c${i} ${type}`).join(', ')})`;
      const source = await harness.database(define(1) + table);
      const expected = types.flatMap(([, , , takes], i) => (takes ? [] : [`c${i}`]));
      for (const existing of [table, '']) {
        const target = await harness.database(define(2) + existing);
        const problems = await problemsOf(source, target, { t: {} });
        expect(problems.map(({ column }) => column)).toEqual(expected);
        const at = { code: 'column_mismatch', side: 'target', tableIndex: 0, difference: 'type' };
        const amount = { sourceType: { name: 'amount' }, targetType: { name: 'amount' } };
        expect(problems).toContainEqual({ ...at, column: 'c8', ...amount });
        const rule = { generator: 'template', pattern: 'x' };
        const masked = await problemsOf(source, target, { t: { c12: rule } });
        expect(masked.map(({ column }) => column)).toEqual(expected.filter((column) => column !== 'c12'));
      }
    });

    it('compares the expressions of generated columns, but neither casts nor the schemas of functions', async () => {
      const generated: readonly (readonly [source: string, target: string, isEqual: boolean])[] = [
        ['int GENERATED ALWAYS AS (a * 2) STORED', 'int GENERATED ALWAYS AS (a * 2) STORED', true],
        ['int GENERATED ALWAYS AS (a * 2) STORED', 'int GENERATED ALWAYS AS (a * 3) STORED', false],
        ["text GENERATED ALWAYS AS (upper(v) || '.a') STORED", "text GENERATED ALWAYS AS (upper(v) || '.a') STORED", true],
        ["text GENERATED ALWAYS AS (v || 'a') STORED", "text GENERATED ALWAYS AS (v || 'b') STORED", false],
        ['int GENERATED ALWAYS AS (public.citext_hash(v::public.citext)) STORED', 'int GENERATED ALWAYS AS ("Else".citext_hash(v::"Else".citext)) STORED', true],
      ]; // prettier-ignore
      const columns = (side: 0 | 1) => generated.map((pair, i) => `c${i} ${pair[side]}`).join(', ');
      const source = await harness.database(
        `CREATE EXTENSION citext; CREATE TABLE t (a int, v varchar(9), ${columns(0)})`,
      );
      const target = await harness.database(
        `CREATE SCHEMA "Else"; CREATE EXTENSION citext SCHEMA "Else"; CREATE TABLE t (a int, v text, ${columns(1)})`,
      );
      const problems = await problemsOf(source, target, { t: {} });
      expect(problems.map(({ column, difference }) => [column, difference])).toEqual(
        generated.flatMap(([, , isEqual], i) => (isEqual ? [] : [[`c${i}`, 'generated']])),
      );
    });

    it('counts problems that do not fit into the list', async () => {
      const columns = Array.from({ length: MAX_PROBLEMS + 17 }, (_, i) => `c${i} int`).join(', ');
      const source = await harness.database(`CREATE TABLE t (${columns})`);
      const target = await harness.database('CREATE TABLE t ()');
      const { failure } = await harness.run(harness.command(source.url, target.url, { t: {} }));
      expect(failure?.problems).toHaveLength(MAX_PROBLEMS);
      expect(failure?.problemCount).toBe(MAX_PROBLEMS + 17);
    });

    it('reports problems without names if the policy requires it', async () => {
      const source = await harness.database('CREATE TABLE t (a text, b text)');
      const target = await harness.database('CREATE TABLE t (a varchar(3))');
      const policy = harness.policy({ reportNames: false });
      const at = { code: 'column_mismatch', side: 'target', tableIndex: 0 };
      expect(await problemsOf(source, target, { t: {} }, { policy })).toEqual([
        { ...at, difference: 'type', sourceType: {}, targetType: { length: 3 } },
        { ...at, difference: 'missing' },
      ]);
    });
  });

  describe('of privileges', () => {
    const as = (database: TestDatabase) => {
      const url = new URL(database.url);
      url.username = 'ordinary';
      url.password = 'pw';
      return url.toString();
    };
    const databases: TestDatabase[] = [];
    const database = async (sql: string) => {
      const made = await harness.database(sql);
      databases.push(made);
      return made;
    };
    beforeEach(async () => {
      const any = await database('');
      await any.query("CREATE ROLE ordinary LOGIN PASSWORD 'pw'; CREATE ROLE owner_of_all");
    });
    afterEach(async () => {
      for (const made of databases) await made.query('DROP OWNED BY ordinary, owner_of_all CASCADE');
      await databases[0]?.query('DROP ROLE ordinary; DROP ROLE owner_of_all');
      databases.length = 0;
    });
    const lacks = async (source: TestDatabase, target: TestDatabase, tables: Record<string, object>) => {
      const command = harness.command(
        as(source),
        as(target),
        tables as Parameters<SyncHarness['command']>[2],
      );
      const { failure } = await harness.run(command);
      expect(failure?.code ?? 'permission_denied').toBe('permission_denied');
      return (failure?.problems ?? []).map(({ side, tableIndex, privilege }) => ({
        side,
        tableIndex,
        ...privilege,
      }));
    };

    it('reports each privilege that reading the source requires, and passes with only these privileges', async () => {
      const source = await database(
        `CREATE TABLE parted (id int) PARTITION BY LIST (id); CREATE TABLE part_1 PARTITION OF parted FOR VALUES IN (1); GRANT SELECT ON parted TO ordinary; CREATE SCHEMA hidden; CREATE SEQUENCE hidden.numbers; CREATE TABLE hidden.t (id serial, n int DEFAULT nextval('hidden.numbers'), v text); INSERT INTO hidden.t (v) VALUES ('a'); CREATE TABLE open (id int);
         CREATE TABLE secured (id int); INSERT INTO secured VALUES (1); ALTER TABLE secured ENABLE ROW LEVEL SECURITY; GRANT SELECT ON open, secured TO ordinary;
         CREATE SCHEMA unlisted; CREATE TABLE unlisted.t (id int); GRANT SELECT ON unlisted.t TO PUBLIC`,
      );
      const target = await database('ALTER SCHEMA public OWNER TO ordinary');
      const role = { role: 'ordinary' };
      const tables = { open: {}, 'hidden.t': {}, secured: {}, parted: {} };
      await target.query(`GRANT CREATE ON DATABASE ${target.name} TO ordinary`);
      expect(await lacks(source, target, tables)).toEqual([
        {
          side: 'source',
          tableIndex: 1,
          privilege: 'usage',
          objectKind: 'schema',
          schema: 'hidden',
          ...role,
        },
        { side: 'source', tableIndex: 1, privilege: 'select', objectKind: 'table', ...role },
        { side: 'source', tableIndex: 2, privilege: 'bypass_row_security', objectKind: 'table', ...role },
        {
          side: 'source',
          tableIndex: 3,
          privilege: 'select',
          objectKind: 'table',
          schema: 'public',
          object: 'part_1',
          ...role,
        },
      ]);
      await source.query(
        'GRANT USAGE ON SCHEMA hidden TO ordinary; GRANT SELECT ON hidden.t, part_1 TO ordinary; ALTER ROLE ordinary BYPASSRLS',
      );
      expect(await lacks(source, target, tables)).toEqual([]);
      expect(await rowsOf(target, 'hidden.t')).toEqual(['(1,1,a)']);
    });

    it('reports each privilege that replacing rows requires, and passes with only these privileges', async () => {
      const schema =
        "CREATE TABLE plain (id int); CREATE SEQUENCE numbers; CREATE TABLE t (id serial PRIMARY KEY, n int DEFAULT nextval('numbers')); CREATE TABLE refers (id int REFERENCES t)";
      const source = await database(
        `${schema}; INSERT INTO t DEFAULT VALUES; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ordinary`,
      );
      const target = await database(
        `${schema}; ALTER TABLE t OWNER TO owner_of_all; ALTER TABLE refers OWNER TO owner_of_all; ALTER SEQUENCE numbers OWNER TO owner_of_all; INSERT INTO plain VALUES (5)`,
      );
      await target.query(`GRANT CREATE ON DATABASE ${target.name} TO ordinary`);
      const at = { side: 'target', objectKind: 'table', role: 'ordinary' };
      const owned = { ...at, privilege: 'ownership', owner: 'owner_of_all' };
      const found = await lacks(source, target, { plain: {}, t: {} });
      expect(found).toEqual(
        expect.arrayContaining([
          ...['insert', 'select', 'truncate'].map((privilege) => ({ ...at, tableIndex: 0, privilege })),
          ...['insert', 'references', 'select', 'truncate'].map((privilege) => ({
            ...at,
            tableIndex: 1,
            privilege,
          })),
          { ...owned, tableIndex: 1, schema: 'public', object: 'refers' },
          { ...owned, tableIndex: 1, objectKind: 'sequence', schema: 'public', object: 't_id_seq' },
          { ...owned, tableIndex: 1, objectKind: 'sequence', schema: 'public', object: 'numbers' },
        ]),
      );
      expect(found).toHaveLength(10);
      await target.query(
        'GRANT owner_of_all TO ordinary; GRANT INSERT, SELECT, TRUNCATE ON plain TO ordinary',
      );
      expect(await lacks(source, target, { plain: {}, t: {} })).toEqual([]);
      expect([await rowsOf(target, 'plain'), await rowsOf(target, 't')]).toEqual([[], ['(1,1)']]);
    });

    it('reports the privileges that creating tables requires, in existing and in missing schemas', async () => {
      const source = await database(
        'CREATE TABLE a (id int); CREATE SCHEMA s; CREATE TABLE s.b (id int); GRANT SELECT ON a, s.b TO ordinary; GRANT USAGE ON SCHEMA s TO ordinary',
      );
      const target = await database('REVOKE ALL ON SCHEMA public FROM public');
      const at = { side: 'target', role: 'ordinary', tableIndex: 0 };
      expect(await lacks(source, target, { a: {}, 's.b': {} })).toEqual(
        expect.arrayContaining([
          { ...at, privilege: 'create', objectKind: 'schema', schema: 'public' },
          { ...at, privilege: 'usage', objectKind: 'schema', schema: 'public' },
          { ...at, tableIndex: undefined, privilege: 'create', objectKind: 'database', object: target.name },
        ]),
      );
      await target.query(
        `GRANT CREATE, USAGE ON SCHEMA public TO ordinary; GRANT CREATE ON DATABASE ${target.name} TO ordinary`,
      );
      expect(await lacks(source, target, { a: {}, 's.b': {} })).toEqual([]);
    });
  });
});
