import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import { SyncJobError, type SyncJobCommand, type TableRules } from '@understudy/sync-job';
import { casesOf, inBoth, it } from '@understudy/testing';
import { type Outcome, rowsOf, SyncHarness } from '../sync-harness.js';

const SOURCE = `
  CREATE TABLE customer (id int PRIMARY KEY, mail text, age int CHECK (age >= 0), name varchar(20));
  INSERT INTO customer SELECT n, 'm' || n % 100 || '@x.invalid', n % 90, 'n' || n FROM generate_series(1, 250) AS n;
  CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer);
  INSERT INTO orders SELECT n, n FROM generate_series(1, 5) AS n;
`;

describe('a dry run', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  const all: readonly TableRules[] = [
    { name: 'customer', columns: [] },
    { name: 'orders', columns: [] },
  ];

  function command(
    source: TestDatabase,
    target: TestDatabase,
    tables: readonly TableRules[],
    more: Partial<SyncJobCommand> = {},
  ): SyncJobCommand {
    return harness.command(source.url, target.url, {}, { tables, dryRun: true, ...more });
  }

  /**
   * Runs a dry run and checks that it wrote nothing. Ignores schemas of temporary tables, because the server keeps
   * these schemas after the session.
   */
  async function predict(
    job: SyncJobCommand,
    target: TestDatabase,
    more: Parameters<SyncHarness['run']>[1] = {},
  ): Promise<Outcome> {
    const state = `SELECT (SELECT array_agg(oid::text || relname || relfilenode ORDER BY oid) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_')::text AS tables,
                          (SELECT array_agg(nspname::text ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_')::text AS schemas`;
    const before = await target.query(state);
    const outcome = await harness.run(job, more);
    expect((await target.query(state)).rows).toEqual(before.rows);
    expect(outcome.completed).toBeUndefined();
    expect([outcome.progress, outcome.trained]).toEqual([[], []]);
    return outcome;
  }

  it('predicts no failure for a job that would complete, and reports rounded numbers of rows', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    const outcome = await predict(command(source, target, all), target);
    expect(outcome.predicted).toEqual({
      failures: [],
      failureCount: 0,
      warnings: [0, 1].map((tableIndex) => ({ code: 'definition_copied', tableIndex })),
      leftOut: expect.objectContaining({ tables: 0, views: 0 }),
      tables: [
        { tableIndex: 0, rows: 250 },
        { tableIndex: 1, rows: 0 },
      ],
    });
  });

  it('predicts no failure for a table that only the switch creates, beside one that is created before', async () => {
    const source = await harness.database(
      `CREATE TABLE early (id int PRIMARY KEY, v text); INSERT INTO early SELECT i, 'v' || i FROM generate_series(1, 40) i;
       CREATE TYPE span AS RANGE (subtype = text); CREATE TABLE late (id int PRIMARY KEY, r span);
       INSERT INTO late SELECT i, span('a', 'b') FROM generate_series(1, 40) i`,
    );
    const target = await harness.database();
    const tables = { early: { v: { generator: 'template', pattern: '{{uuid}}' } }, late: {} };
    const job = harness.command(source.url, target.url, tables, { dryRun: true });
    expect((await predict(job, target)).predicted?.failures).toEqual([]);
  });

  it('warns about exactly the tables that a run would create from the definition in the source', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database(SOURCE.slice(0, SOURCE.indexOf('CREATE TABLE orders')));
    const { predicted } = await predict(command(source, target, all), target);
    expect(predicted?.warnings).toEqual([{ code: 'definition_copied', tableIndex: 1 }]);
  });

  it('counts only the rows of the subset', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    const tables = [
      { name: 'customer', columns: [], subset: { where: 'id <= 123' } },
      { name: 'orders', columns: [] },
    ];
    const outcome = await predict(command(source, target, tables), target);
    expect(outcome.predicted?.tables).toEqual([
      { tableIndex: 0, rows: 120 },
      { tableIndex: 1, rows: 0 },
    ]);
  });

  it('finds rows that unique and check constraints of the target would refuse', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database(`
      CREATE TABLE customer (id int PRIMARY KEY, mail text UNIQUE, age int CHECK (age >= 0) CHECK (age < 80), name varchar(20) CHECK (name <> ''), UNIQUE (id, name));
      CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer);`);
    const outcome = await predict(command(source, target, all), target);
    const location = { code: 'constraint_violation', side: 'target', tableIndex: 0 };
    const violations = [
      { ...location, constraintKind: 'unique', problemCount: 1 },
      { ...location, constraintKind: 'check', problemCount: 1 },
    ];
    expect(outcome.predicted?.failures).toMatchObject(violations);
    expect(outcome.predicted?.failures.map(({ problems }) => problems)).toEqual([
      [{ ...location, constraintKind: 'unique', column: 'mail', constraint: 'customer_mail_key' }],
      [{ ...location, constraintKind: 'check', column: 'age', constraint: 'customer_age_check1' }],
    ]);
    // Rows that satisfy the constraints, and columns that get new values, cause no failure.
    const few = { name: 'customer', columns: [], subset: { where: 'id < 80' } };
    const rest = await predict(command(source, target, [few, { name: 'orders', columns: [] }]), target);
    expect(rest.predicted?.failures).toEqual([]);
    const rule = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 70 } };
    const columns = [
      { name: 'mail', rule: { generator: 'template', pattern: '{{uuid}}' } },
      { name: 'age', rule },
    ];
    const ruled = await predict(
      command(source, target, [
        { name: 'customer', columns },
        { name: 'orders', columns: [] },
      ]),
      target,
    );
    expect(ruled.predicted?.failures).toEqual([]);
  });

  describe('with constraints that only the target has', () => {
    const SHOP = `CREATE TABLE shop (id int PRIMARY KEY, mail text, code varchar(9), low int, high int, kind text, doc jsonb, d timestamptz, n int)`;
    const ROWS = `INSERT INTO shop VALUES (1, 'A@x', 'k1', 1, 2, 'open', '{"a": 1}', '2020-01-01', NULL), (2, 'a@x', 'k1', 5, 5, 'shut', '{}', '2021-01-01', NULL)`;
    let source: TestDatabase;
    beforeEach(async () => {
      source = await harness.database(`${SHOP}; ${ROWS}`);
    });

    const found = async (sql: string, more: Partial<TableRules> = {}) => {
      const target = await harness.database(
        `CREATE FUNCTION odd(int) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT $1 % 2 = 1'; ${SHOP}; ${sql}`,
      );
      const { predicted } = await predict(
        command(source, target, [{ name: 'shop', columns: [], ...more }]),
        target,
      );
      return predicted?.failures.flatMap(
        ({ problems }) => problems?.map((one) => [one.constraintKind, one.constraint]) ?? [],
      );
    };

    it('predicts violations of every kind of constraint that it can check, and names the constraint', async () => {
      const { rows } = await source.query(
        "SELECT current_setting('server_version_num')::int >= 150000 AS knows",
      );
      const knowsNulls = rows[0]?.['knows'] === true;
      const sql = `
        ALTER TABLE shop ADD CONSTRAINT long_mail CHECK (length(mail) > 3), ADD CONSTRAINT known CHECK (kind = ANY (ARRAY['open', 'other'])),
          ADD CONSTRAINT ascending CHECK (low < high), ADD CONSTRAINT documented CHECK (doc ? 'a'), ADD CONSTRAINT short CHECK (char_length(code) <= 1) NOT VALID,
          ADD CONSTRAINT quotient CHECK (10 / (low - 1) < 100), ADD CONSTRAINT same_code EXCLUDE (code WITH =);
        CREATE UNIQUE INDEX folded ON shop (lower(mail)); CREATE UNIQUE INDEX part ON shop (code) WHERE id > 0;
        ${knowsNulls ? 'CREATE UNIQUE INDEX nothing ON shop (n) NULLS NOT DISTINCT;' : ''}`;
      const all = [
        ['exclusion', 'same_code'], ['unique', 'folded'], ['unique', 'part'], ...(knowsNulls ? [['unique', 'nothing']] : []),
        ['check', 'long_mail'], ['check', 'known'], ['check', 'ascending'], ['check', 'documented'], ['check', 'short'], ['check', 'quotient'],
      ]; // prettier-ignore
      expect(await found(sql)).toEqual(all);
      const first = { subset: { limit: 1 } };
      expect(await found(sql, first)).toEqual(
        all.filter(([, name]) => ['long_mail', 'short', 'quotient'].includes(name ?? '')),
      );
    });

    it('predicts violated foreign keys between listed tables, and from and to unlisted tables', async () => {
      await source.query(
        `CREATE TABLE item (id int PRIMARY KEY, shop_id int, low int); INSERT INTO item VALUES (1, 1, 7), (2, NULL, 5)`,
      );
      const outside = (rows: string) => `
        CREATE TABLE item (id int PRIMARY KEY, shop_id int CONSTRAINT shop_of_item REFERENCES shop (id), low bigint);
        CREATE TABLE codes (code varchar(9), low bigint, PRIMARY KEY (code, low)); INSERT INTO codes VALUES ${rows};
        ALTER TABLE shop ADD CONSTRAINT known_code FOREIGN KEY (code, low) REFERENCES codes (code, low);
        CREATE TABLE visit (shop_id int CONSTRAINT visited REFERENCES shop (id), at int CONSTRAINT item_visited REFERENCES item (id)); 
        INSERT INTO shop (id, code) VALUES (2, NULL), (9, NULL); INSERT INTO item VALUES (1, 9, 1); INSERT INTO visit VALUES (2, 1), (NULL, NULL);`;
      const violations = async (sql: string, tables: readonly TableRules[]) => {
        const target = await harness.database(`${SHOP}; ${sql}`);
        const { predicted } = await predict(command(source, target, tables), target);
        return predicted?.failures.map(({ tableIndex, problems }) => [
          tableIndex,
          problems?.[0]?.constraintKind,
          problems?.[0]?.constraint,
        ]);
      };
      const shop: TableRules = { name: 'shop', columns: [] };
      const item: TableRules = { name: 'item', columns: [] };
      const fine = outside("('k1', 1), ('k1', 5)");
      expect(await violations(fine, [shop, item])).toEqual([]);
      expect(await violations(`${fine} INSERT INTO visit VALUES (9, NULL)`, [shop, item])).toEqual([
        [0, 'foreign_key', 'visited'],
      ]);
      expect(await violations(outside("('k1', 1), ('k5', 5)"), [shop, item])).toEqual([
        [0, 'foreign_key', 'known_code'],
      ]);
      await source.query('UPDATE item SET shop_id = 3 WHERE id = 2');
      expect(await violations(fine, [shop, item])).toEqual([[1, 'foreign_key', 'shop_of_item']]);
      // The values of a column with a rule are unknown before the run.
      const rule = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 2 } };
      expect(
        await violations(fine, [shop, { name: 'item', columns: [{ name: 'shop_id', rule }] }]),
      ).not.toContainEqual([1, 'foreign_key', 'shop_of_item']);
    });

    it('predicts no violation of a foreign key that only one partition of a listed table has or is referenced by', async () => {
      const parts = `CREATE TABLE codes (code text PRIMARY KEY);
        CREATE TABLE part (id int, kind text, code text) PARTITION BY LIST (kind);
        CREATE TABLE keyed PARTITION OF part FOR VALUES IN ('k');
        ALTER TABLE keyed ADD PRIMARY KEY (id), ADD FOREIGN KEY (code) REFERENCES codes;
        CREATE TABLE entry (id int PRIMARY KEY, part_id int REFERENCES keyed);`;
      const rows = (id: number) =>
        `INSERT INTO codes VALUES ('c${id}'); INSERT INTO part VALUES (${id}, 'k', 'c${id}'); INSERT INTO entry VALUES (${id}, ${id})`;
      await source.query(parts + rows(1));
      const target = await harness.database(parts + rows(2));
      const tables = ['codes', 'part', 'entry'].map((name) => ({ name, columns: [] }));
      expect((await predict(command(source, target, tables), target)).predicted?.failures).toEqual([]);
    });

    inBoth('predicts violated foreign keys of partitioned tables above listed partitions', async () => {
      const schema = `CREATE TABLE top (id int PRIMARY KEY) PARTITION BY RANGE (id);
        CREATE TABLE top_1 PARTITION OF top FOR VALUES FROM (0) TO (100); CREATE TABLE top_2 PARTITION OF top DEFAULT;
        CREATE TABLE kid (id int PRIMARY KEY, top int CONSTRAINT up REFERENCES top) PARTITION BY RANGE (id);
        CREATE TABLE kid_1 PARTITION OF kid FOR VALUES FROM (0) TO (100); CREATE TABLE kid_2 PARTITION OF kid DEFAULT;
        CREATE TABLE own (id int PRIMARY KEY, kid int CONSTRAINT down REFERENCES kid);`;
      await source.query(`${schema} INSERT INTO top VALUES (1), (200); INSERT INTO kid VALUES (1, 1), (2, 200), (200, 1);
        INSERT INTO own VALUES (1, 1), (2, 200)`);
      const violations = async (rows: string, ...listed: readonly string[]) => {
        const target = await harness.database(`${schema} ${rows}`);
        const tables = listed.map((name) => ({ name, columns: [] }));
        const { predicted } = await predict(command(source, target, tables), target);
        return predicted?.failures.map(({ tableIndex, problems }) => [
          ...[tables[tableIndex ?? -1]?.name, problems?.[0]?.constraint],
        ]);
      };
      const kept = 'INSERT INTO top VALUES (1), (200); INSERT INTO kid VALUES (5, 1), (300, 1);';
      const CASES = [
        // The target keeps the rows of the partitions that are not listed.
        ['INSERT INTO top VALUES (1)', ['kid_1'], ['kid_1', 'up']],
        [`${kept} INSERT INTO own VALUES (1, 300)`, ['kid_1']],
        [`${kept} INSERT INTO own VALUES (1, 5)`, ['kid_1'], ['kid_1', 'down']],
        ['INSERT INTO top VALUES (200)', ['kid_1', 'top_1']],
        ['INSERT INTO top VALUES (2)', ['kid_1', 'top_1'], ['kid_1', 'up']],
        [
          'INSERT INTO top VALUES (7); INSERT INTO kid VALUES (300, 7)',
          ['kid_1', 'top_1', 'top_2'],
          ['top_1', 'up'],
        ],
      ] as const;
      for (const [rows, listed, ...found] of casesOf(CASES, 3))
        expect([rows, await violations(rows, ...listed)]).toEqual([rows, found]);
    });

    it('ignores constraints that the rows satisfy, that depend on rules, or that the source could read differently', async () => {
      const rule = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 9 } };
      const ruled = { columns: [{ name: 'high', rule }] };
      const sql = `
        ALTER TABLE shop ADD CHECK (length(mail) > 2), ADD CHECK (low < high), ADD CHECK (public.odd(id)) NOT VALID, ADD CHECK (d > now()) NOT VALID,
          ADD CHECK (d > date_trunc('day', '2022-01-01'::timestamptz)) NOT VALID, ADD CHECK (current_user <> '');
        CREATE UNIQUE INDEX ON shop (code) WHERE id > 1; CREATE UNIQUE INDEX ON shop (code, low); CREATE UNIQUE INDEX ON shop (n);
        CREATE UNIQUE INDEX ON shop (upper(mail), id)`;
      expect(await found(sql, ruled)).toEqual([]);
    });

    it('reports no names if the policy forbids it', async () => {
      const target = await harness.database(
        `${SHOP}; CREATE UNIQUE INDEX folded ON shop (lower(mail)); ALTER TABLE shop ADD CHECK (low < high)`,
      );
      const policy = harness.policy({ reportNames: false });
      const { predicted } = await predict(command(source, target, [{ name: 'shop', columns: [] }]), target, {
        policy,
      });
      const location = { code: 'constraint_violation', side: 'target', tableIndex: 0 };
      expect(predicted?.failures.map(({ problems }) => problems)).toEqual([
        [{ ...location, constraintKind: 'unique' }],
        [{ ...location, constraintKind: 'check' }],
      ]);
    });

    it('evaluates only expressions on the source that are known to be harmless', async () => {
      await source.query(
        'CREATE TABLE witness (n int); CREATE FUNCTION odd(int) RETURNS boolean LANGUAGE sql AS $$ INSERT INTO public.witness VALUES (1) RETURNING true $$',
      );
      expect(
        await found(
          "ALTER TABLE shop ADD CHECK (public.odd(id)) NOT VALID, ADD CHECK (pg_sleep(3600) IS NULL) NOT VALID, ADD CHECK (length(set_config('a.b', mail, false)) > 99) NOT VALID",
        ),
      ).toEqual([]);
      expect(await rowsOf(source, 'witness')).toEqual([]);
    });
  });

  it('reports the problems that the preflight checks find', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database('CREATE TABLE customer (id int PRIMARY KEY, mail int)');
    const mismatch = await predict(command(source, target, all), target);
    expect(mismatch.predicted?.failures).toEqual([
      expect.objectContaining({ code: 'column_mismatch', tableIndex: 0 }),
    ]);
    const missing = await predict(command(source, target, [{ name: 'nothing', columns: [] }]), target);
    expect(missing.predicted?.failures).toEqual([
      expect.objectContaining({ code: 'table_not_found', tableIndex: 0 }),
    ]);
    const several = await predict(
      command(source, target, [{ name: 'nothing', columns: [] }, ...all, { name: 'neither', columns: [] }]),
      target,
    );
    const [failure] = several.predicted?.failures ?? [];
    const notFound = failure?.problems?.filter(({ code }) => code === 'table_not_found');
    expect(notFound?.map(({ tableIndex }) => tableIndex)).toEqual([0, 3]);
    expect(failure?.problems?.some(({ code }) => code === 'column_mismatch')).toBe(true);
    const tables = [{ name: 'customer', columns: [], subset: { where: `mail = 5` } }];
    const where = await predict(command(source, await harness.database(), tables), target);
    expect(where.predicted?.failures).toEqual([
      { code: 'where_type_mismatch', tableIndex: 0, columnIndex: 0 },
    ]);
  });

  it('reports both databases if neither can be reached', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    const nowhere = (url: string) => ({ kind: 'url' as const, url: `${url}_missing` });
    const job = command(source, target, all, { source: nowhere(source.url), target: nowhere(target.url) });
    const outcome = await predict(job, target);
    expect(outcome.predicted?.failures).toEqual([
      expect.objectContaining({ code: 'database_not_found', side: 'source' }),
      expect.objectContaining({ code: 'database_not_found', side: 'target' }),
    ]);
  });

  it('predicts a key with too few values, and makes the checks that need the source after that', async () => {
    const source = await harness.database(
      `CREATE TABLE zone (code text PRIMARY KEY); INSERT INTO zone SELECT 'z' || n FROM generate_series(1, 20000) AS n;
       CREATE TABLE visit (id int PRIMARY KEY, code text REFERENCES zone); INSERT INTO visit VALUES (1, 'z1');
       CREATE TABLE other (id int PRIMARY KEY)`,
    );
    const target = await harness.database('CREATE TYPE other AS ENUM ()');
    const tables = { zone: { code: { type: 'list', values: ['a', 'b'] } }, visit: {}, other: {} };
    const { failure, predicted } = await predict(
      harness.command(source.url, target.url, tables, { dryRun: true }),
      target,
    );
    expect(failure).toBeUndefined();
    expect(predicted?.failures).toMatchObject([
      { code: 'unique_capacity', tableIndex: 0, columnIndex: 0 },
      { code: 'create_failed', side: 'target' },
    ]);
  });

  it('warns about large objects in the same way as a run, at the columns that may refer to them', async () => {
    const source = await harness.database(`${SOURCE}
      CREATE DOMAIN lo AS oid;
      CREATE TABLE files (id int PRIMARY KEY, body oid, more lo, many oid[], size oid, kind regtype);
      INSERT INTO files VALUES (1, 1, 1, '{1}', 1, 'int4');`);
    const files: TableRules = {
      name: 'files',
      columns: [
        { name: 'body', rule: { preserve: true } },
        { name: 'size', rule: { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 9 } } },
      ],
    };
    const warningsOf = async (tables: readonly TableRules[]) => {
      const target = await harness.database();
      const { predicted } = await predict(command(source, target, tables), target);
      const run = await harness.run(command(source, target, tables, { dryRun: false }));
      expect([predicted?.failures, run.failure]).toEqual([[], undefined]);
      const foreseen = predicted?.warnings.filter((warning) => warning.code !== 'definition_copied');
      expect(run.completed?.warnings).toEqual(foreseen);
      return foreseen;
    };
    await source.query("SELECT lo_from_bytea(0, 'x')");
    const code = 'large_objects_skipped';
    expect(await warningsOf([files, ...all])).toEqual([
      { code, tableIndex: 0, columnIndex: 0 },
      { code, tableIndex: 0 },
    ]);
    const target = await harness.database();
    const { predicted } = await predict(command(source, target, all), target);
    expect(predicted?.warnings).toContainEqual({ code });
  });

  const CASTS = [
    ['a partial index casts', 'CREATE INDEX ON t ((payload::jsonb)) WHERE length(payload) > 1'],
    [
      'a CHECK reads through a generated column',
      "ALTER TABLE t ADD l text GENERATED ALWAYS AS (left(payload, 1)) STORED CHECK (l = '{')",
    ],
    ['an index casts', 'CREATE INDEX ON t ((payload::jsonb))'],
    ['an index on two columns casts', 'CREATE INDEX ON t (id, (payload::jsonb))'],
    ['a generated column casts', 'ALTER TABLE t ADD j jsonb GENERATED ALWAYS AS (payload::jsonb) STORED'],
  ] as const;
  inBoth.each(casesOf(CASTS, 1))('predicts the failure of a rule whose values %s', async (_, sql) => {
    const source = await harness.database(
      `CREATE TABLE t (id int PRIMARY KEY, payload text); INSERT INTO t VALUES (1, '{}'); ${sql}`,
    );
    const target = await harness.database();
    const of = (...values: readonly string[]): readonly TableRules[] => [
      { name: 't', columns: [{ name: 'payload', rule: { type: 'list', values } }] },
    ];
    const { predicted } = await predict(command(source, target, of('no JSON')), target);
    expect(predicted?.failures).toMatchObject([{ code: 'rule_misfit', tableIndex: 0, columnIndex: 0 }]);
    const fitting = command(source, target, of('{"a": 1}'));
    expect((await predict(fitting, target)).predicted?.failures).toEqual([]);
    expect((await harness.run({ ...fitting, dryRun: false })).failure).toBeUndefined();
  });

  describe('of a job that trains models', () => {
    // A model of the towns can make no new value: each suffix and each number occurs.
    const TOWNS = `CREATE TABLE place (id int PRIMARY KEY, town text, name text, few text);
      INSERT INTO place SELECT n, 'Q' || (ARRAY['ton', 'ham', 'by'])[1 + n / 500] || n % 500,
        (ARRAY['ba', 'be', 'bo', 'la', 'li'])[1 + n % 5] || (ARRAY['ma', 'mi', 'no', 'ra', 'ro'])[1 + n / 5 % 5]
          || (ARRAY['sa', 'se', 'so', 'ta', 'te'])[1 + n / 25 % 5] || (ARRAY['', 'n', 's', 'l'])[1 + n / 125 % 4], 'x' || n % 50
        FROM generate_series(0, 1499) AS n;`;
    const trained = (column: string) => ({
      name: column,
      rule: { generator: `private/${column}`, train: { order: 4 } },
    });
    const place = (...columns: TableRules['columns']): readonly TableRules[] => [{ name: 'place', columns }];
    const modelFiles = () => {
      const folder = join(harness.stateDir, 'models', 'private');
      const files = existsSync(folder) ? readdirSync(folder).sort() : [];
      return files.map((name) => [
        name,
        readFileSync(join(folder, name)),
        statSync(join(folder, name)).mtimeMs,
      ]);
    };

    const TRAINED = ['town', 'few'] as const;
    inBoth.each(casesOf(TRAINED, 1))('predicts the failure of a run that trains on %s', async (column) => {
      const source = await harness.database(TOWNS);
      const target = await harness.database();
      const tables = place(trained(column));
      const { predicted } = await predict(command(source, target, tables), target);
      const { failure } = await harness.run(command(source, target, tables, { dryRun: false }));
      expect(failure).toBeDefined();
      expect(predicted?.failures.map(({ code, columnIndex }) => [code, columnIndex])).toEqual([
        [failure?.code, failure?.columnIndex],
      ]);
    });

    it('checks values of the new models, and leaves the models of the agent as they are', async () => {
      const source = await harness.database(TOWNS);
      const target = await harness.database();
      const job = command(source, target, place(trained('name')));
      expect((await predict(job, target)).predicted?.failures).toEqual([]);
      expect(modelFiles().map(([name]) => name)).not.toContain('name.ngram');
      expect((await harness.run({ ...job, dryRun: false })).failure).toBeUndefined();
      const before = modelFiles();
      await source.query("UPDATE place SET name = 'Z' || name");
      const narrow = await harness.database(
        "CREATE TABLE place (id int PRIMARY KEY, town text, name text CHECK (name = 'never'), few text)",
      );
      const { predicted } = await predict(command(source, narrow, place(trained('name'))), narrow);
      expect(predicted?.failures).toMatchObject([{ code: 'rule_misfit', tableIndex: 0, columnIndex: 0 }]);
      expect(modelFiles()).toEqual(before);
    });

    inBoth.each(casesOf([5, 0], 1))(
      'names models that it did not train in %d ms, and makes the other checks',
      async (trialTrainingMs) => {
        const source = await harness.database(
          `${TOWNS} INSERT INTO place SELECT n, md5(n::text), 'n' || n, '' FROM generate_series(2000, 50000) n`,
        );
        const target = await harness.database();
        const tables = place(trained('town'), { name: 'few', rule: { generator: 'private/absent' } });
        const { copy } = harness.environment();
        const { predicted } = await predict(command(source, target, tables), target, {
          copy: { ...copy, trialTrainingMs },
        });
        expect(predicted?.warnings).toContainEqual({
          code: 'training_not_tried',
          tableIndex: 0,
          columnIndex: 0,
        });
        expect(predicted?.failures).toEqual([
          expect.objectContaining({ code: 'model_not_found', tableIndex: 0, columnIndex: 1 }),
        ]);
        expect(predicted?.tables).toHaveLength(1);
      },
    );
  });

  it('reports a failure instead of a prediction if it is stopped', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    const stopped = AbortSignal.abort(new SyncJobError({ code: 'cancelled' }));
    const outcome = await harness.run(command(source, target, all), {}, stopped);
    expect(outcome.failure).toEqual({ code: 'cancelled' });
    expect(outcome.predicted).toBeUndefined();
    expect(await rowsOf(source, 'orders')).toHaveLength(5);
  });
});
