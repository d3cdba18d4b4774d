import { postgresVersions, type TestDatabase } from '@understudy/testing';
import { copyTables, type Dump, dumpOf, thinOut } from './everything-schema/round-trip.js';
import { fillWithEverything, sqlFiles, tablesOf } from './everything-schema/everything-database.js';
import { replaceScene } from './database/replace-scene.js';
import { MASKS } from './everything-schema/masks.js';
import { expectMasked } from './everything-schema/expect-masked.js';
import { type Outcome, rowsOf, SyncHarness } from './sync-harness.js';

/*
 * Tests what a sync job does with all features of a PostgreSQL schema. `npm run generate` reads the calls of
 * `holds` and `instead` in this file and writes their texts to docs/reference/postgres-support.md.
 */

jest.setTimeout(300_000); // copies every feature of PostgreSQL twice before its tests

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
  await existingDatabase.query(ONLY_ON_TARGET);
  await thinOut(existingDatabase);
  source = await dumpOf(harness, sourceDatabase);
  const before = await dumpOf(harness, existingDatabase);
  const all = await tablesOf(sourceDatabase);
  outcomes = [
    await copyTables(harness, sourceDatabase, createdDatabase, all),
    await copyTables(harness, sourceDatabase, existingDatabase, all),
  ];
  created = await dumpOf(harness, createdDatabase);
  existing = { before, after: await dumpOf(harness, existingDatabase) };
});
afterAll(() => harness.stop());

/** Tables of the files for newer servers whose definitions an older server accepts. */
const WITHOUT_NEWS: readonly string[] = [
  'partitions_since_17.visits', // its partitions have no identity there
  'not_enforced.children', // without the table to which its key points
  'partition_keys_not_valid.parents',
  'partition_keys_not_valid.children', // as above
];

/** Returns a source with the features that the server of the sources has and the server of the targets lacks. */
async function newerDatabase(): Promise<TestDatabase> {
  const database = await harness.database('CREATE EXTENSION btree_gist');
  for (const { sql, since } of sqlFiles())
    if (since > VERSIONS.target && since <= VERSIONS.source) await database.query(sql());
  return database;
}

/** Objects that exist only on the target. Most of them depend on tables of the job. */
const ONLY_ON_TARGET = `
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

/**
 * Adds a test that all rows of the schemas are copied unchanged, both to tables that the job creates and to
 * existing tables. Created objects must have the source's definitions, and existing objects must keep their
 * own. The test is skipped if a server is older than `since`.
 * @param since the first PostgreSQL version with the feature
 */
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

/**
 * Adds a test for a feature that is not copied unchanged.
 * @param happens a description of the result, for the title of the test
 */
function instead(
  section: string,
  feature: string,
  happens: string,
  test: () => Promise<void>,
  condition: jest.It = it,
): void {
  condition(`${section}: ${feature}: ${happens}`, test);
}

it('copies all schemas without a failure, and warns only that a materialized view of the target is stale', () => {
  const warnings = outcomes.map(({ failure, completed }) => failure ?? completed?.warnings);
  expect(warnings.flat()).toEqual([{ code: 'materialized_views_stale', count: 1 }]);
});

describe('names', () => {
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
  holds('Names', 'names that contain each other', ['alike']);
});

describe('keys', () => {
  holds('Keys', 'composite primary keys, also in another order than the columns', ['composite_keys']);
  holds('Keys', 'tables without a primary key, with equal rows', ['missing_keys']);
  holds('Keys', 'foreign keys to the same table', ['self_references']);
  holds('Keys', 'cycles of foreign keys', ['cycles']);
  holds('Keys', 'cycles of foreign keys on NOT NULL columns', ['not_null_cycles']);
  holds('Keys', 'several cycles of foreign keys that share tables', ['several_cycles']);
  holds('Keys', 'keys that are deferrable, initially deferred or immediate', ['deferrable_keys']);
  holds(
    'Keys',
    'keys with INCLUDE columns, storage settings and comments, and keys for CLUSTER and REPLICA IDENTITY',
    ['key_options'],
  );
  holds('Keys', 'foreign keys to unique constraints and unique indexes, MATCH FULL', ['keys_to_unique']);
  holds('Keys', 'ON DELETE and ON UPDATE actions', ['key_actions']);
  holds('Keys', 'foreign keys that are NOT VALID, and rows that violate them', ['keys_not_validated']);
  holds('Keys', 'foreign keys between schemas', ['keys_across_schemas']);
  holds('Keys', 'ON DELETE SET NULL for some columns, NULLS NOT DISTINCT', ['since_15'], 15);
  holds(
    'Keys',
    'WITHOUT OVERLAPS in primary keys and unique constraints, foreign keys with PERIOD',
    ['temporal_keys'],
    18,
  );
  holds('Keys', 'foreign keys that are NOT ENFORCED, and rows that violate them', ['not_enforced'], 18);
});

describe('columns', () => {
  holds('Columns', 'identity columns, ALWAYS and BY DEFAULT, with options, descending', ['identity_columns']);
  holds('Columns', 'smallserial, serial, bigserial', ['serial_columns']);
  holds('Columns', 'sequences that several tables share', ['shared_sequences']);
  holds('Columns', 'generated columns, also as primary keys and with functions', ['generated_columns']);
  holds('Columns', 'virtual generated columns, uuidv7() as default', ['virtual_columns'], 18);
  holds('Columns', 'defaults', ['defaults']);
  holds('Columns', 'dropped columns', ['dropped_columns']);
  holds('Columns', 'tables without columns, with rows', ['without_columns']);
  holds('Columns', 'tables without rows', ['without_rows']);
  holds('Columns', 'storage, compression, statistics targets and options of tables and columns', [
    'storage_settings',
  ]);
  holds('Columns', 'collations, including user-defined ones', ['collated_columns']);
  holds('Columns', 'collations with ICU rules, nondeterministic collations', ['since_16'], 16);
  holds('Columns', 'hundreds of columns', ['wide_tables']);
});

describe('types', () => {
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
  holds('Types', 'json, jsonb, jsonpath: SQL NULL and JSON null stay distinct', ['documents']);
  holds('Types', 'xml', ['markup']);
  holds('Types', 'uuid, inet, cidr, macaddr, macaddr8', ['networks']);
  holds('Types', 'bit, bit varying', ['bits']);
  holds('Types', 'point, line, lseg, box, path, polygon, circle', ['shapes']);
  holds('Types', 'tsvector, tsquery', ['text_search']);
  holds('Types', 'ranges and multiranges', ['ranges']);
  holds('Types', 'oid, xid, tid, pg_lsn, pg_snapshot, regtype and other system types', ['system_types']);
  holds('Types', 'arrays with several dimensions, with other lower bounds, with NULLs', ['arrays']);
});

describe('own types', () => {
  holds('User-defined types', 'enums and arrays of them', ['enums']);
  holds('User-defined types', 'domains: nested, NOT NULL, over arrays, arrays of domains', ['domains']);
  holds(
    'User-defined types',
    'composite types: nested, row types of tables, arrays and domains of composite types, typed tables',
    ['composites'],
  );
  holds('User-defined types', 'range types and their multiranges', ['own_ranges']);
  holds('User-defined types', 'operators that a definition uses', ['own_operators']);
  holds('User-defined types', 'extensions: citext, hstore, ltree', ['extension_types']);
  holds('User-defined types', 'extensions: pg_trgm, btree_gist, uuid-ossp in indexes and defaults', [
    'extension_indexes',
  ]);
});

describe('partitions and inheritance', () => {
  holds('Partitions and inheritance', 'range partitions, twelve of one table', ['twelve_partitions']);
  holds('Partitions and inheritance', 'list partitions, with NULL and a default partition', [
    'list_partitions',
  ]);
  holds('Partitions and inheritance', 'hash partitions', ['hash_partitions']);
  holds('Partitions and inheritance', 'nested partitions, with three strategies', ['nested_partitions']);
  holds(
    'Partitions and inheritance',
    'attached partitions: other column order, other schema, unlogged, indexes of their own',
    ['attached_partitions', 'Attached Elsewhere'],
  );
  holds('Partitions and inheritance', 'partition keys with expressions', ['partition_expressions']);
  holds(
    'Partitions and inheritance',
    'foreign keys from, to and between partitioned tables, and to one partition',
    ['partition_keys'],
  );
  holds('Partitions and inheritance', 'identity columns of partitioned tables', ['partitions_since_17'], 17);
  instead(
    'Partitions and inheritance',
    'exclusion constraints of partitioned tables (servers from 17)',
    'copied; `create_failed` on servers that cannot restore a dump of such a table, such as 17.10 and 18.4',
    async () => {
      const table = `CREATE EXTENSION btree_gist;
        CREATE TABLE p (a int, during int4range, CONSTRAINT apart EXCLUDE USING gist (a WITH =, during WITH &&)) PARTITION BY LIST (a);
        CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1); INSERT INTO p VALUES (1, '[1,2)'), (1, '[2,3)')`;
      const from = await harness.database(table);
      const to = await harness.targetDatabase('CREATE EXTENSION btree_gist');
      const { failure } = await harness.run(harness.command(from.url, to.url, { p: {} }));
      expect(failure?.code).toBe((await attachesExclusions()) ? undefined : 'create_failed');
      if (failure === undefined) expect(await rowsOf(to, 'p')).toHaveLength(2);
    },
    from(17),
  );
  holds(
    'Partitions and inheritance',
    'foreign keys of partitioned tables that are NOT VALID',
    ['partition_keys_not_valid'],
    18,
  );
  holds('Partitions and inheritance', 'partitioned tables without partitions', ['empty_partitioned']);
  holds('Partitions and inheritance', 'inherited tables, from several parents', ['inherited_tables']);
});

/** Tests with plain SQL whether the server of the targets can attach indexes of exclusion constraints, as a dump does. */
async function attachesExclusions(): Promise<boolean> {
  const database = await harness.targetDatabase(`CREATE EXTENSION btree_gist;
    CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 (a int); ALTER TABLE p ATTACH PARTITION p1 FOR VALUES IN (1);
    ALTER TABLE ONLY p ADD CONSTRAINT of_p EXCLUDE USING gist (a WITH =);
    ALTER TABLE p1 ADD CONSTRAINT of_p1 EXCLUDE USING gist (a WITH =)`);
  return database.query('ALTER INDEX of_p ATTACH PARTITION of_p1').then(
    () => true,
    () => false,
  );
}

describe('behaviour', () => {
  holds('Behaviour', 'triggers of all kinds: none fires while rows are loaded, and each keeps its state', [
    'triggers',
  ]);
  holds('Behaviour', 'rewrite rules (CREATE RULE): none is applied while rows are loaded', ['rules']);
  holds('Behaviour', 'row-level security and policies, including FORCE', ['row_security']);
  holds('Behaviour', 'unlogged tables', ['unlogged_tables']);
  holds('Behaviour', 'replica identities, CLUSTER ON', ['replica_identities']);
});

describe('indexes and constraints', () => {
  holds(
    'Indexes and constraints',
    'indexes: partial, unique, expressions, INCLUDE, orders, operator classes, gin, gist, spgist, brin, hash',
    ['indexes'],
  );
  holds('Indexes and constraints', 'exclusion constraints', ['exclusions']);
  holds('Indexes and constraints', 'CHECK constraints', ['checks']);
  holds(
    'Indexes and constraints',
    'NOT NULL constraints with a name, a comment, NO INHERIT, NOT VALID',
    ['not_null_constraints'],
    18,
  );
  holds('Indexes and constraints', 'extended statistics', ['extended_statistics']);
  holds('Indexes and constraints', 'comments', ['comments']);
  holds('Indexes and constraints', '200 tables in a chain of foreign keys', ['many_tables']);
});

describe('the target', () => {
  instead(
    'On the target',
    'foreign keys from unlisted tables',
    'kept, and checked against the new rows',
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
  instead('On the target', 'views, functions and indexes that only the target has', 'kept', async () => {
    expect(existing.after.definitions('kept_on_target')).toEqual(
      existing.before.definitions('kept_on_target'),
    );
    expect(Object.keys(existing.after.definitions('missing_keys'))).toContain('INDEX only_here');
    expect(await rowsOf(existingDatabase, 'kept_on_target.names')).toHaveLength(20);
    expect(await rowsOf(existingDatabase, 'kept_on_target.all_orders()')).toHaveLength(20);
  });
  instead(
    'On the target',
    'a table that the job creates, with a feature that the older server of the target lacks',
    '`create_failed`; a job without this table completes',
    async () => {
      const from = await newerDatabase();
      const completed: string[] = [];
      for (const table of await tablesOf(from)) {
        const to = await harness.targetDatabase('CREATE EXTENSION btree_gist');
        const { failure } = await harness.run(harness.command(from.url, to.url, { [table]: {} }));
        if (failure === undefined) completed.push(table);
        else expect([table, failure.code]).toEqual([table, 'create_failed']);
      }
      expect(completed).toEqual((await tablesOf(from)).filter((table) => WITHOUT_NEWS.includes(table)));
    },
    VERSIONS.source > VERSIONS.target ? it : it.skip,
  );
  instead(
    'On the target',
    'a whole database that the job replaces, if the server of the target is older',
    '`target_server_older`',
    async () => {
      const scene = await replaceScene(harness);
      const from = await harness.database('CREATE TABLE t (id int)');
      const to = await harness.targetDatabase();
      await to.query(`ALTER DATABASE ${to.name} OWNER TO ${scene.owner}`);
      const refused = { code: 'target_server_older', side: 'target' };
      expect((await scene.replace({ source: from, target: to })).failure).toEqual(refused);
      const dry = await scene.replace({ source: from, target: to, command: { dryRun: true } });
      expect(dry.predicted?.failures).toEqual([refused]);
    },
    VERSIONS.source > VERSIONS.target ? it : it.skip,
  );
  instead(
    'On the target',
    'infinite intervals (servers from 17), if the server of the target is older',
    '`value_invalid`',
    async () => {
      const table = 'CREATE TABLE t (lasting interval)';
      for (const value of ['infinity', '-infinity']) {
        const from = await harness.database(`${table}; INSERT INTO t VALUES ('${value}')`);
        for (const existing of ['', table]) {
          const to = await harness.targetDatabase(existing);
          const { failure } = await harness.run(harness.command(from.url, to.url, { t: {} }));
          expect(failure?.code).toBe('value_invalid');
        }
      }
    },
    VERSIONS.source >= 17 && VERSIONS.target < 17 ? it : it.skip,
  );
  instead(
    'On the target',
    'names of NOT NULL constraints (servers from 18), if the server of the target is older',
    'the columns are NOT NULL, but the older server keeps no names, with the warning `not_null_names_lost`; with a comment on such a constraint, `create_failed`',
    async () => {
      const source = 'CREATE TABLE t (a int CONSTRAINT "must Be" NOT NULL); CREATE TABLE u (a int NOT NULL)';
      const comment = `COMMENT ON CONSTRAINT "must Be" ON t IS 'kept'`;
      const [plain, commented] = [
        await harness.database(source),
        await harness.database(`${source}; ${comment}`),
      ];
      const to = await harness.targetDatabase();
      const run = (from: TestDatabase, dryRun = false) =>
        harness.run(harness.command(from.url, to.url, { t: {}, u: {} }, { dryRun }));
      expect((await run(commented)).failure?.code).toBe('create_failed');
      const warning = { code: 'not_null_names_lost', tableIndex: 0 };
      expect((await run(plain, true)).predicted?.warnings).toContainEqual(warning);
      expect((await run(plain)).completed?.warnings).toEqual([warning]);
      await expect(to.query('INSERT INTO t VALUES (NULL)')).rejects.toThrow('not-null constraint');
    },
    VERSIONS.source >= 18 && VERSIONS.target < 18 ? it : it.skip,
  );
  instead(
    'On the target',
    'identity columns of partitions (servers from 17), if the server of the target is older',
    'the partitioned table has the identity, but the partitions on the older server have none, with the warning `partition_identity_lost`',
    async () => {
      const from = await harness.database(`
        CREATE TABLE p (id int GENERATED ALWAYS AS IDENTITY, a int) PARTITION BY LIST (a);
        CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1); INSERT INTO p (a) VALUES (1), (1)`);
      const to = await harness.targetDatabase();
      const run = (dryRun: boolean) => harness.run(harness.command(from.url, to.url, { p: {} }, { dryRun }));
      const warning = { code: 'partition_identity_lost', tableIndex: 0 };
      expect((await run(true)).predicted?.warnings).toContainEqual(warning);
      expect((await run(false)).completed?.warnings).toEqual([warning]);
      await to.query('INSERT INTO p (a) VALUES (1)');
      await expect(to.query('INSERT INTO p1 (a) VALUES (1)')).rejects.toThrow('not-null constraint');
      const { rows } = await to.query(
        "SELECT attrelid::regclass::text AS of, attidentity FROM pg_attribute WHERE attname = 'id' AND attrelid IN ('p'::regclass, 'p1'::regclass) ORDER BY 1",
      );
      expect(rows).toEqual([
        { of: 'p', attidentity: 'a' },
        { of: 'p1', attidentity: '' },
      ]);
    },
    VERSIONS.source >= 17 && VERSIONS.target < 17 ? it : it.skip,
  );
  instead(
    'On the target',
    'materialised views that only the target has',
    'kept with their old rows, and counted in a warning; refreshed with `refresh_materialized_views`',
    async () => {
      expect(await rowsOf(existingDatabase, 'kept_on_target.counted')).toEqual(['(20)']);
    },
  );
  instead('On the target', 'privileges on existing tables', 'kept', async () => {
    expect(await mayBeRead(existingDatabase)).toBe(true);
  });
  instead(
    'On the target',
    'owners and privileges of the source',
    'not copied; the role of the job owns the tables that it creates',
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

describe('sequences', () => {
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
  instead(
    'Columns',
    'values of sequences',
    'the next value is beyond all values in use: those of columns, or the position on the source',
    async () => {
      const next = ['1001', '51', '115', '-4', '41', '9000000001', '16'];
      expect(await nextIn(createdDatabase)).toEqual(next);
      // A text column of shared_sequences.b has the values up to C15.
      expect(await nextIn(existingDatabase)).toEqual(next);
    },
  );
});

describe('masking rules', () => {
  /** Lists all tables but the chain of 200, which has no rules. The jobs without rules copy it. */
  const tables = async () =>
    (await tablesOf(sourceDatabase)).filter((name) => !name.startsWith('many_tables.'));

  instead(
    'Masking rules',
    'rules on columns of all these tables, if the job creates the tables',
    'columns with rules are masked, and everything else is copied unchanged',
    async () => {
      const target = await harness.targetDatabase();
      const outcome = await copyTables(harness, sourceDatabase, target, await tables(), MASKS);
      expect(outcome.failure).toBeUndefined();
      await expectMasked(sourceDatabase, target, await tables(), MASKS);
    },
    it,
  );
  instead(
    'Masking rules',
    'rules on columns of all these tables, if the tables exist on the target',
    'columns with rules are masked, and everything else is copied unchanged',
    async () => {
      const outcome = await copyTables(harness, sourceDatabase, existingDatabase, await tables(), MASKS);
      expect(outcome.failure).toBeUndefined();
      await expectMasked(sourceDatabase, existingDatabase, await tables(), MASKS);
    },
    it,
  );
});

describe('features with a result other than "copied"', () => {
  /** Runs a job and returns its failure code. Expects that a job that fails does not change the target's relations. */
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
    'rows that violate a NOT VALID check',
    'copied if the job creates the table; `constraint_violation` if it exists with this check',
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
    'rows that violate a NOT NULL constraint that is NOT VALID (servers from 18)',
    'copied if the job creates the table; `constraint_violation` before the copy if it exists with a NOT NULL',
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
    'regclass, regtype and similar values that name an object which the job creates',
    '`database_error` or `value_invalid`, because the object is still hidden; copied if the table exists',
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
    'not copied: columns of type oid keep their numbers, which reference nothing on the target',
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
    'views, materialised views, foreign tables and sequences that the job lists as tables',
    '`not_a_table`, with the kind',
    async () => {
      const others = `CREATE VIEW v AS SELECT 1 AS a; CREATE MATERIALIZED VIEW m AS SELECT 1 AS a; CREATE SEQUENCE s;
        CREATE FOREIGN DATA WRAPPER none; CREATE SERVER nowhere FOREIGN DATA WRAPPER none; CREATE FOREIGN TABLE f (a int) SERVER nowhere`;
      for (const name of ['v', 'm', 's', 'f']) {
        expect(await failureOf({ source: others }, [name])).toBe('not_a_table');
      }
    },
  );
  instead(
    'Partitions and inheritance',
    'a partition that is listed together with its partitioned table',
    '`partition_listed`; list only the partitioned table, which includes the rows of its partitions',
    async () => {
      const parted =
        'CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)';
      expect(await failureOf({ source: parted }, ['p', 'p1'])).toBe('partition_listed');
    },
  );
  instead(
    'Partitions and inheritance',
    'a child table that is listed without its parent, if the job creates it',
    '`create_failed`; list the parent too',
    async () => {
      const inherited = 'CREATE TABLE p (a int); CREATE TABLE c () INHERITS (p)';
      expect(await failureOf({ source: inherited }, ['c'])).toBe('create_failed');
    },
  );
  instead(
    'Partitions and inheritance',
    'a partition that is listed without its partitioned table',
    'copied to a plain table if the job creates it',
    async () => {
      const from = await harness.database(
        'CREATE TABLE p (a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1); INSERT INTO p VALUES (1), (1)',
      );
      const to = await harness.targetDatabase();
      expect((await harness.run(harness.command(from.url, to.url, { p1: {} }))).failure).toBeUndefined();
      expect(await rowsOf(to, 'p1')).toEqual(['(1)', '(1)']);
    },
  );
  instead(
    'Partitions and inheritance',
    'an identity column of a partition that is listed without its partitioned table (servers from 17)',
    'a plain column if the job creates the table, with the warning `partition_identity_lost`',
    async () => {
      const from = await harness.database(
        'CREATE TABLE p (id int GENERATED ALWAYS AS IDENTITY, a int) PARTITION BY LIST (a); CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)',
      );
      const to = await harness.targetDatabase();
      const { completed } = await harness.run(harness.command(from.url, to.url, { p1: {} }));
      expect(completed?.warnings).toEqual([{ code: 'partition_identity_lost', tableIndex: 0 }]);
      await expect(to.query('INSERT INTO p1 (a) VALUES (1)')).rejects.toThrow('not-null constraint');
    },
    from(17),
  );
});
