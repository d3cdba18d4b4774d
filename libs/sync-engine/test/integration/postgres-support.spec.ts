import { postgresVersions, type TestDatabase } from '@understudy/testing';
import { copyEverything, type Dump, dumpOf, thinOut } from './everything-schema/round-trip.js';
import { fillWithEverything } from './everything-schema/everything-database.js';
import { MASKS } from './everything-schema/masks.js';
import { expectMasked } from './everything-schema/expect-masked.js';
import { type Outcome, rowsOf, SyncHarness } from './sync-harness.js';

/*
 * What a sync job does with all that a PostgreSQL schema may hold. `npm run generate` reads the calls of `holds`,
 * `shows` and `instead` in this file and makes docs/postgres-support.md of them: their texts are its sentences.
 */

const VERSIONS = postgresVersions();

let harness: SyncHarness;
let source: Dump;
let created: Dump;
let existing: { before: Dump; after: Dump };
let sourceDatabase: TestDatabase;
let createdDatabase: TestDatabase;
let existingDatabase: TestDatabase;
let outcomes: readonly Outcome[];

beforeAll(async () => {
  harness = await SyncHarness.start();
  sourceDatabase = await fillWithEverything(await harness.database());
  createdDatabase = await harness.targetDatabase();
  existingDatabase = await fillWithEverything(await harness.targetDatabase());
  await existingDatabase.query(ON_TARGET_ALONE);
  await thinOut(existingDatabase);
  source = await dumpOf(harness, sourceDatabase);
  const before = await dumpOf(harness, existingDatabase);
  outcomes = [
    await copyEverything(harness, sourceDatabase, createdDatabase),
    await copyEverything(harness, sourceDatabase, existingDatabase),
  ];
  created = await dumpOf(harness, createdDatabase);
  existing = { before, after: await dumpOf(harness, existingDatabase) };
});
afterAll(() => harness.stop());

/** Things of the target that no job knows of, and that hang on tables that one replaces. */
const ON_TARGET_ALONE = `
  CREATE SCHEMA kept_on_target;
  CREATE VIEW kept_on_target.names AS SELECT "fullName" FROM "Mixed Case"."Customers";
  CREATE MATERIALIZED VIEW kept_on_target.counted AS SELECT count(*) FROM composite_keys.orders;
  CREATE INDEX ON kept_on_target.counted (count);
  CREATE TABLE kept_on_target.visits (id int PRIMARY KEY, employee int CONSTRAINT points_in REFERENCES self_references.employees (id) ON DELETE CASCADE);
  CREATE FUNCTION kept_on_target.all_orders() RETURNS SETOF composite_keys.orders LANGUAGE sql AS 'SELECT * FROM composite_keys.orders';
  GRANT SELECT ON composite_keys.orders TO pg_monitor;
  CREATE INDEX only_here ON missing_keys.log (at);
  INSERT INTO kept_on_target.visits SELECT i, i FROM generate_series(2, 20, 2) i;
`;

/** All that the schemas hold arrives as it was: in tables that the job creates and in tables that it finds. @param since the first version that knows of it */
function holds(section: string, feature: string, schemas: readonly string[], since = 14): void {
  from(since)(`${section}: ${feature}`, () => {
    for (const schema of schemas) {
      const rows = source.rows(schema);
      expect(created.rows(schema)).toEqual(rows);
      expect(existing.after.rows(schema)).toEqual(rows);
      expect(created.definitions(schema)).toEqual(source.definitions(schema));
      expect(existing.after.definitions(schema)).toEqual(existing.before.definitions(schema));
      expect(Object.keys(source.definitions(schema))).not.toEqual([]);
    }
  });
}

function from(since: number): jest.It {
  return Math.min(VERSIONS.source, VERSIONS.target) >= since ? it : it.skip;
}

/** The same, with a test of its own. */
function shows(section: string, feature: string, test: () => Promise<void>, timeoutMs?: number): void {
  it(`${section}: ${feature}`, test, timeoutMs);
}

/** What does not travel, and what is seen in its place. */
function instead(
  section: string,
  feature: string,
  happens: string,
  test: () => Promise<void>,
  condition: jest.It = it,
): void {
  condition(`${section}: ${feature}: ${happens}`, test);
}

it('copies all of it into missing tables and over existing ones without a failure or a warning', () => {
  for (const outcome of outcomes) {
    expect(outcome.failure).toBeUndefined();
    expect(outcome.completed?.warnings).toEqual([]);
  }
});

describe('of names', () => {
  holds('Names', 'mixed case', ['Mixed Case']);
  holds('Names', 'quotes, backslashes, dots, tabs and comment marks, in every kind of name', [
    'quo"te\'s \\ and $1',
  ]);
  holds('Names', 'newlines, in names of schemas, tables, columns, types, labels, indexes and constraints', [
    'new\nline',
  ]);
  holds('Names', 'letters of all scripts, composed and decomposed, and emoji', ['unicode é 表 😀']);
  holds('Names', 'names of 63 bytes', ['names_of_63_bytes_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']);
  holds('Names', 'reserved words', ['names_of_sql']);
  holds('Names', 'names that contain one another', ['alike']);
});

describe('of keys', () => {
  holds('Keys', 'composite primary keys, also in another order than the columns', ['composite_keys']);
  holds('Keys', 'no primary key, rows that are equal', ['missing_keys']);
  holds('Keys', 'foreign keys to the own table', ['self_references']);
  holds('Keys', 'cycles of foreign keys', ['cycles']);
  holds('Keys', 'cycles of NOT NULL columns', ['not_null_cycles']);
  holds('Keys', 'several cycles that share tables', ['several_cycles']);
  holds('Keys', 'keys that are deferrable, initially deferred or immediate', ['deferrable_keys']);
  holds(
    'Keys',
    'keys with more columns, storage settings and comments, as order and identity of their table',
    ['key_options'],
  );
  holds('Keys', 'foreign keys to unique constraints and unique indexes, MATCH FULL', ['keys_to_unique']);
  holds('Keys', 'ON DELETE and ON UPDATE actions', ['key_actions']);
  holds('Keys', 'foreign keys that are NOT VALID, and rows that break them', ['keys_not_validated']);
  holds('Keys', 'foreign keys between schemas', ['keys_across_schemas']);
  holds('Keys', 'ON DELETE SET NULL of chosen columns, NULLS NOT DISTINCT', ['since_15'], 15);
  holds(
    'Keys',
    'WITHOUT OVERLAPS in primary keys and unique constraints, foreign keys with PERIOD',
    ['temporal_keys'],
    18,
  );
  holds('Keys', 'foreign keys that are NOT ENFORCED, and rows that break them', ['not_enforced'], 18);
});

describe('of columns', () => {
  holds('Columns', 'identity, ALWAYS and BY DEFAULT, with options, counting down', ['identity_columns']);
  holds('Columns', 'smallserial, serial, bigserial', ['serial_columns']);
  holds('Columns', 'sequences that several tables share', ['shared_sequences']);
  holds('Columns', 'generated columns, also as primary key and by functions', ['generated_columns']);
  holds('Columns', 'virtual generated columns, uuidv7() as default', ['virtual_columns'], 18);
  holds('Columns', 'defaults', ['defaults']);
  holds('Columns', 'dropped columns', ['dropped_columns']);
  holds('Columns', 'tables without columns, with rows', ['without_columns']);
  holds('Columns', 'tables without rows', ['without_rows']);
  holds('Columns', 'storage, compression, statistics targets and options of tables and columns', [
    'storage_settings',
  ]);
  holds('Columns', 'collations, own ones too', ['collated_columns']);
  holds('Columns', 'collations with ICU rules, nondeterministic ones', ['since_16'], 16);
  holds('Columns', 'hundreds of columns', ['wide_tables']);
});

describe('of types', () => {
  holds(
    'Types',
    'integers, numeric (NaN, infinities, 500 digits), float (NaN, infinities, -0, denormal), money, boolean',
    ['numbers'],
  );
  holds(
    'Types',
    'numeric of a negative scale, and of a scale beyond its precision',
    ['numbers_since_15'],
    15,
  );
  holds(
    'Types',
    'text, varchar, char, "char", name: backslashes, control characters, `\\N`, `\\.`, empty and NULL',
    ['texts'],
  );
  holds('Types', 'bytea', ['binaries']);
  holds('Types', 'date, time, timestamp with and without time zone: infinities, BC, the ends of the range', [
    'times',
  ]);
  holds('Types', 'interval', ['intervals']);
  holds('Types', 'infinite intervals, collations of the builtin provider', ['values_since_17'], 17);
  holds('Types', 'json, jsonb, jsonpath: SQL NULL and JSON null kept apart', ['documents']);
  holds('Types', 'xml', ['markup']);
  holds('Types', 'uuid, inet, cidr, macaddr, macaddr8', ['networks']);
  holds('Types', 'bit, bit varying', ['bits']);
  holds('Types', 'point, line, lseg, box, path, polygon, circle', ['shapes']);
  holds('Types', 'tsvector, tsquery', ['text_search']);
  holds('Types', 'ranges and multiranges', ['ranges']);
  holds('Types', 'oid, xid, tid, pg_lsn, pg_snapshot, regtype and other types of the system', [
    'system_types',
  ]);
  holds('Types', 'arrays: of several dimensions, with other lower bounds, with NULLs', ['arrays']);
});

describe('of own types', () => {
  holds('Own types', 'enums and arrays of them', ['enums']);
  holds('Own types', 'domains: nested, NOT NULL, over arrays, arrays of them', ['domains']);
  holds('Own types', 'composite types: nested, of rows of tables, arrays and domains of them, typed tables', [
    'composites',
  ]);
  holds('Own types', 'range types and their multiranges', ['own_ranges']);
  holds('Own types', 'operators that a definition uses', ['own_operators']);
  holds('Own types', 'extensions: citext, hstore, ltree', ['extension_types']);
  holds('Own types', 'extensions: pg_trgm, btree_gist, uuid-ossp in indexes and defaults', [
    'extension_indexes',
  ]);
});

describe('of partitions and inheritance', () => {
  holds('Partitions and inheritance', 'range, 12 partitions', ['twelve_partitions']);
  holds('Partitions and inheritance', 'list, with NULL and default', ['list_partitions']);
  holds('Partitions and inheritance', 'hash', ['hash_partitions']);
  holds('Partitions and inheritance', 'nested, of three kinds', ['nested_partitions']);
  holds(
    'Partitions and inheritance',
    'attached, with columns in another order, in another schema, unlogged, with indexes of their own',
    ['attached_partitions', 'Attached Elsewhere'],
  );
  holds('Partitions and inheritance', 'by expressions', ['partition_expressions']);
  holds('Partitions and inheritance', 'foreign keys from, to and between them, to one partition', [
    'partition_keys',
  ]);
  holds(
    'Partitions and inheritance',
    'identity columns and exclusion constraints of partitioned tables',
    ['partitions_since_17'],
    17,
  );
  holds(
    'Partitions and inheritance',
    'foreign keys of partitioned tables that are NOT VALID',
    ['partition_keys_not_valid'],
    18,
  );
  holds('Partitions and inheritance', 'without a partition', ['empty_partitioned']);
  holds('Partitions and inheritance', 'inherited tables, from several parents', ['inherited_tables']);
});

describe('of behaviour', () => {
  holds('Behaviour', 'triggers of all kinds: none fires while rows are loaded, each is in its state again', [
    'triggers',
  ]);
  holds('Behaviour', 'rules: none is applied while rows are loaded', ['rules']);
  holds('Behaviour', 'row-level security and policies, also forced on owners', ['row_security']);
  holds('Behaviour', 'unlogged tables', ['unlogged_tables']);
  holds('Behaviour', 'replica identities, CLUSTER ON', ['replica_identities']);
});

describe('of indexes', () => {
  holds(
    'Indexes and constraints',
    'partial, unique, expression, INCLUDE, orders and operator classes, gin, gist, spgist, brin, hash',
    ['indexes'],
  );
  holds('Indexes and constraints', 'exclusion constraints', ['exclusions']);
  holds('Indexes and constraints', 'checks', ['checks']);
  holds(
    'Indexes and constraints',
    'NOT NULL with a name, a comment, NO INHERIT, NOT VALID',
    ['not_null_constraints'],
    18,
  );
  holds('Indexes and constraints', 'extended statistics', ['extended_statistics']);
  holds('Indexes and constraints', 'comments', ['comments']);
  holds('Indexes and constraints', '200 tables in a chain of foreign keys', ['many_tables']);
});

describe('of the target', () => {
  shows(
    'On the target',
    'foreign keys of tables that are not listed: kept, and checked against the new rows',
    async () => {
      const { rows } = await existingDatabase.query(
        "SELECT pg_get_constraintdef(oid) AS key, convalidated FROM pg_constraint WHERE conname = 'points_in'",
      );
      expect(rows).toEqual([
        {
          key: 'FOREIGN KEY (employee) REFERENCES self_references.employees(id) ON DELETE CASCADE',
          convalidated: true,
        },
      ]);
      expect(existing.after.rows('kept_on_target')).toEqual(existing.before.rows('kept_on_target'));
    },
  );
  shows('On the target', 'views, functions and indexes that only the target has: kept', async () => {
    expect(existing.after.definitions('kept_on_target')).toEqual(
      existing.before.definitions('kept_on_target'),
    );
    expect(Object.keys(existing.after.definitions('missing_keys'))).toContain('INDEX only_here');
    expect(await rowsOf(existingDatabase, 'kept_on_target.names')).toHaveLength(20);
    expect(await rowsOf(existingDatabase, 'kept_on_target.all_orders()')).toHaveLength(20);
  });
  instead(
    'On the target',
    'a server older than the source, and missing tables that use what it does not know',
    '`create_failed`; what it knows is copied',
    async () => {
      const from = await harness.database(
        'CREATE TABLE old (a int); CREATE TABLE newer (a int, b int GENERATED ALWAYS AS (a) VIRTUAL)',
      );
      const to = await harness.targetDatabase();
      const codeOf = async (table: string) =>
        (await harness.run(harness.command(from.url, to.url, { [table]: {} }))).failure?.code;
      expect(await codeOf('old')).toBeUndefined();
      expect(await codeOf('newer')).toBe('create_failed');
    },
    VERSIONS.source >= 18 && VERSIONS.target < 18 ? it : it.skip,
  );
  instead(
    'On the target',
    'materialised views',
    'kept with the rows they had; refresh them after the job',
    async () => {
      expect(await rowsOf(existingDatabase, 'kept_on_target.counted')).toEqual(['(20)']);
    },
  );
  shows('On the target', 'privileges on tables that exist: kept', async () => {
    expect(await mayBeRead(existingDatabase)).toBe(true);
  });
  instead(
    'On the target',
    'owners and privileges of the source',
    'not copied; the role of the job owns what it creates',
    async () => {
      await sourceDatabase.query('GRANT SELECT ON composite_keys.orders TO pg_monitor');
      const target = await harness.targetDatabase();
      const command = harness.command(sourceDatabase.url, target.url, { 'composite_keys.orders': {} });
      expect((await harness.run(command)).failure).toBeUndefined();
      expect(await mayBeRead(target)).toBe(false);
    },
  );
  const mayBeRead = async (database: TestDatabase) => {
    const { rows } = await database.query(
      "SELECT has_table_privilege('pg_monitor', 'composite_keys.orders', 'SELECT') AS may",
    );
    return rows[0]?.['may'];
  };
});

describe('of sequences', () => {
  const NEXT = `
    INSERT INTO identity_columns.always DEFAULT VALUES RETURNING id::text;
    INSERT INTO identity_columns.by_default DEFAULT VALUES RETURNING id::text;
    INSERT INTO identity_columns.with_options DEFAULT VALUES RETURNING id::text;
    INSERT INTO identity_columns.downwards DEFAULT VALUES RETURNING id::text;
    INSERT INTO serial_columns.plain DEFAULT VALUES RETURNING id::text;
    INSERT INTO serial_columns.big DEFAULT VALUES RETURNING id::text;
    INSERT INTO shared_sequences.a DEFAULT VALUES RETURNING id::text;`;
  const nextIn = async (database: TestDatabase) => {
    const results = (await database.query(NEXT)) as unknown as { rows: { id: string }[] }[];
    return results.map(({ rows }) => rows[0]?.id);
  };
  shows(
    'Columns',
    'sequences: the next value lies beyond the greatest one of the columns they feed',
    async () => {
      const next = ['1001', '51', '115', '-4', '41', '9000000001', '15'];
      expect(await nextIn(createdDatabase)).toEqual(next);
      // Never back: on a target whose sequences were further they stay there.
      expect(await nextIn(existingDatabase)).toEqual(next.with(-1, '16'));
    },
  );
});

describe('of masks', () => {
  shows(
    'Rules',
    'on columns of all of these, into missing tables: ruled columns masked, everything else as it was',
    async () => {
      const target = await harness.targetDatabase();
      const outcome = await copyEverything(harness, sourceDatabase, target, MASKS);
      expect(outcome.failure).toBeUndefined();
      await expectMasked(sourceDatabase, target, MASKS);
    },
    120_000,
  );
  shows(
    'Rules',
    'the same over existing tables',
    async () => {
      const outcome = await copyEverything(harness, sourceDatabase, existingDatabase, MASKS);
      expect(outcome.failure).toBeUndefined();
      await expectMasked(sourceDatabase, existingDatabase, MASKS);
    },
    120_000,
  );
});

describe('of what is refused', () => {
  /** The failure of a job, which left no new relation behind. */
  const failureOf = async (sql: { source: string; target?: string }, tables: readonly string[]) => {
    const from = await harness.database(sql.source);
    const to = await harness.targetDatabase(sql.target);
    const relations = () =>
      to.query("SELECT oid FROM pg_class WHERE relkind <> 't' AND oid >= 16384 ORDER BY 1");
    const before = (await relations()).rows;
    const command = harness.command(from.url, to.url, Object.fromEntries(tables.map((table) => [table, {}])));
    const { failure } = await harness.run(command);
    if (failure !== undefined) expect((await relations()).rows).toEqual(before);
    return failure?.code;
  };

  instead(
    'Tables',
    'rows that break a NOT VALID check',
    'copied into missing tables; existing ones with that check refuse them (`constraint_violation`)',
    async () => {
      const table = 'CREATE TABLE t (a int)';
      const check = 'ALTER TABLE t ADD CHECK (a > 0) NOT VALID';
      const sourceSql = `${table}; INSERT INTO t VALUES (-1); ${check}`;
      expect(await failureOf({ source: sourceSql, target: `${table}; ${check}` }, ['t'])).toBe(
        'constraint_violation',
      );
      expect(await failureOf({ source: sourceSql }, ['t'])).toBeUndefined();
    },
  );
  instead(
    'Tables',
    'rows that break a NOT NULL that is NOT VALID (servers from 18)',
    'copied into missing tables; for existing ones they are found before a row moves (`constraint_violation`)',
    async () => {
      const table = 'CREATE TABLE t (a int)';
      const notNull = 'ALTER TABLE t ADD CONSTRAINT never NOT NULL a NOT VALID';
      const sourceSql = `${table}; INSERT INTO t VALUES (NULL); ${notNull}`;
      for (const targetSql of [`${table}; ${notNull}`, 'CREATE TABLE t (a int NOT NULL)']) {
        const [from, to] = [await harness.database(sourceSql), await harness.targetDatabase(targetSql)];
        const { failure } = await harness.run(harness.command(from.url, to.url, { t: {} }));
        expect(failure?.problems).toMatchObject([{ column: 'a', constraintKind: 'not_null' }]);
      }
      expect(await failureOf({ source: sourceSql }, ['t'])).toBeUndefined();
    },
    from(18),
  );
  instead(
    'Types',
    'regclass, regtype and the like that name what the job creates',
    '`database_error` or `value_invalid`: it is not in its place yet when the rows arrive; existing tables take them',
    async () => {
      const table = 'CREATE TABLE t (r regclass)';
      const filled = `${table}; INSERT INTO t VALUES ('t'), ('pg_class')`;
      expect(['database_error', 'value_invalid']).toContain(await failureOf({ source: filled }, ['t']));
      expect(await failureOf({ source: filled, target: table }, ['t'])).toBeUndefined();
    },
  );
  instead(
    'Tables',
    'large objects',
    'not copied: columns of type oid keep the numbers, which name nothing on the target',
    async () => {
      const from = await harness.database(
        "CREATE TABLE t (o oid); INSERT INTO t VALUES (lo_from_bytea(4711, 'x'))",
      );
      const to = await harness.targetDatabase();
      expect((await harness.run(harness.command(from.url, to.url, { t: {} }))).failure).toBeUndefined();
      expect(await rowsOf(to, 't')).toEqual(['(4711)']);
      expect((await to.query('SELECT FROM pg_largeobject_metadata')).rows).toEqual([]);
    },
  );
  instead(
    'Tables',
    'views, materialised views, foreign tables and sequences as listed tables',
    '`table_not_found`',
    async () => {
      const others = `CREATE VIEW v AS SELECT 1 AS a; CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; CREATE SEQUENCE s;
        CREATE FOREIGN DATA WRAPPER none; CREATE SERVER nowhere FOREIGN DATA WRAPPER none; CREATE FOREIGN TABLE f (a int) SERVER nowhere`;
      for (const name of ['v', 'm', 's', 'f']) {
        expect(await failureOf({ source: others }, [name])).toBe('table_not_found');
      }
    },
  );
  instead(
    'Partitions and inheritance',
    'a partition listed beside its parent',
    '`rule_invalid`: its rows come with the parent',
    async () => {
      const parted =
        'CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)';
      expect(await failureOf({ source: parted }, ['p', 'p1'])).toBe('rule_invalid');
    },
  );
  instead(
    'Partitions and inheritance',
    'a child without its parent, into a missing table',
    '`create_failed`; list the parent too',
    async () => {
      const inherited = 'CREATE TABLE p (a int); CREATE TABLE c () INHERITS (p)';
      expect(await failureOf({ source: inherited }, ['c'])).toBe('create_failed');
    },
  );
  shows(
    'Partitions and inheritance',
    'a partition listed without its parent: a table of its own',
    async () => {
      const from = await harness.database(
        'CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1); INSERT INTO p VALUES (1), (1)',
      );
      const to = await harness.targetDatabase();
      expect((await harness.run(harness.command(from.url, to.url, { p1: {} }))).failure).toBeUndefined();
      expect(await rowsOf(to, 'p1')).toEqual(['(1)', '(1)']);
    },
  );
});
