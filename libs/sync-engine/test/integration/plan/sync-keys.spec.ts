import type { TestDatabase } from '@understudy/testing';
import { casesOf, inBoth, it } from '@understudy/testing';
import { rowsOf, SyncHarness, type Rules } from '../sync-harness.js';

const svc = (algorithm: string, params?: object) => ({ type: 'svc', algorithm, ...(params && { params }) });
const WORDS = { type: 'list', values: Array.from({ length: 400 }, (_, i) => `w${i}`) };

/**
 * Tables with keys of several types, and foreign keys that form chains and cycles. The types of some foreign keys
 * differ from those of the keys that they reference. Some references are NULL.
 */
const SCHEMA = `
  CREATE TABLE customers (id int PRIMARY KEY, code varchar(20) NOT NULL UNIQUE, boss int REFERENCES customers DEFERRABLE, name text);
  CREATE TABLE accounts (id bigint PRIMARY KEY REFERENCES customers, level int);
  CREATE TABLE logins (account numeric(12,2), region char(6), n int, PRIMARY KEY (account, region, n), at text);
  CREATE TABLE orders (id uuid PRIMARY KEY, customer_code text REFERENCES customers (code), account bigint REFERENCES accounts);
  CREATE TABLE regions (code char(6), part smallint, PRIMARY KEY (code, part), main_order uuid UNIQUE);
  CREATE TABLE offices (region varchar(8), part int, FOREIGN KEY (region, part) REFERENCES regions (code, part));
  ALTER TABLE orders ADD region char(6), ADD part smallint, ADD FOREIGN KEY (region, part) REFERENCES regions (code, part);
  ALTER TABLE regions ADD FOREIGN KEY (main_order) REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED;
`;
const ROWS = `
  BEGIN;
  INSERT INTO customers SELECT i, 'C-' || i, CASE WHEN i > 1 THEN i / 2 END, 'name ' || i FROM generate_series(1, 200) i;
  INSERT INTO accounts SELECT i, i FROM generate_series(1, 200, 2) i;
  INSERT INTO regions SELECT 'r' || i, i, NULL FROM generate_series(1, 20) i;
  INSERT INTO orders SELECT gen_random_uuid(), 'C-' || (1 + i % 200), CASE WHEN i % 3 = 0 THEN 1 + 2 * (i % 100) END, 'r' || (1 + i % 20), 1 + i % 20
    FROM generate_series(1, 500) i;
  UPDATE regions SET main_order = (SELECT id FROM orders WHERE region = code ORDER BY id LIMIT 1);
  INSERT INTO offices SELECT 'r' || (1 + i % 20), 1 + i % 20 FROM generate_series(1, 50) i;
  INSERT INTO offices VALUES (NULL, 3);
  COMMIT;
`;
const TABLES = ['customers', 'accounts', 'logins', 'orders', 'regions', 'offices'];
/**
 * A query that counts references between rows. It selects no key values, so masking must not change its
 * result.
 */
const SHAPE = `
  SELECT c.boss IS NULL AS top, count(*)::int AS rows, count(DISTINCT b.id)::int AS bosses, count(a.id)::int AS accounts,
         sum((SELECT count(*) FROM orders o WHERE o.customer_code = c.code))::int AS orders,
         sum((SELECT count(*) FROM orders o WHERE o.account = a.id))::int AS account_orders,
         sum((SELECT count(*) FROM orders o JOIN regions r ON (r.code, r.part) = (o.region, o.part)
               JOIN offices f ON (f.region, f.part) = (r.code, r.part) WHERE o.customer_code = c.code))::int AS offices,
         (SELECT count(*) FROM regions r JOIN orders o ON o.id = r.main_order)::int AS main_orders
    FROM customers c LEFT JOIN customers b ON b.id = c.boss LEFT JOIN accounts a ON a.id = c.id GROUP BY 1 ORDER BY 1
`;

describe('a job with rules for keys', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterAll(() => harness.stop());

  async function databases(schema: string, rows: string, onTarget = schema): Promise<void> {
    source = await harness.database(schema + rows);
    target = await harness.database(onTarget);
  }
  const run = (tables: Record<string, Rules>, more: object = {}) =>
    harness.run(harness.command(source.url, target.url, tables, more));
  const listed = (rules: Record<string, Rules>) =>
    Object.fromEntries(TABLES.map((table) => [table, rules[table] ?? {}]));

  describe('that other columns reference', () => {
    afterEach(() => harness.dropAll());
    const cases: [string, Record<string, Rules>][] = [
      [
        'with values that cannot collide',
        {
          customers: { id: svc('int_between', { min: 1, max: 2000 }), code: svc('nanoid', { length: 16 }) },
          orders: { id: svc('uuid_v4') },
        },
      ],
      [
        'with values that could collide',
        {
          customers: { id: svc('int_between', { min: 5000, max: 5300 }), code: WORDS },
          regions: { code: { type: 'list', values: Array.from({ length: 30 }, (_, i) => `x${i}`) } },
        },
      ],
      [
        'with counted and with consistent values',
        {
          customers: { id: svc('sequence', { start: 1000 }), code: { ...WORDS, consistent: true } },
          regions: { part: { ...svc('int_between', { min: 1, max: 300 }), consistent: true } },
        },
      ],
    ];

    inBoth.each(casesOf(cases, 1))(
      'masks keys together with the columns that reference them, %s',
      async (_, rules) => {
        await databases(SCHEMA, ROWS);
        const shape = (await source.query(SHAPE)).rows;
        const old = await rowsOf(source, 'customers');
        expect((await run(listed(rules))).failure).toBeUndefined();
        expect((await target.query(SHAPE)).rows).toEqual(shape);
        const kept = await target.query(
          'SELECT count(*)::int AS n FROM offices WHERE region IS NULL AND part IS NOT NULL',
        );
        expect(kept.rows).toEqual([{ n: 1 }]);
        expect((await rowsOf(target, 'customers')).filter((row) => old.includes(row))).toEqual([]);
      },
    );

    it('masks keys in tables that the job creates', async () => {
      await databases(SCHEMA, ROWS, '');
      const [, rules] = cases[1] ?? ['', {}];
      expect((await run(listed(rules))).failure).toBeUndefined();
      expect((await target.query(SHAPE)).rows).toEqual((await source.query(SHAPE)).rows);
    });

    it('accepts the same rule on both ends, or a rule on the reference only', async () => {
      await databases(SCHEMA, ROWS);
      const rules = {
        customers: { code: WORDS },
        orders: { customer_code: WORDS, account: { type: 'list', values: [1, 3, 5] } },
      };
      expect((await run(listed(rules))).failure).toBeUndefined();
      const { rows } = await target.query('SELECT count(DISTINCT account)::int AS n FROM orders');
      expect(rows).toEqual([{ n: 3 }]);
    });

    it('refuses rules that contradict each other, the key or an unlisted reference before any row is copied', async () => {
      const refused: readonly (readonly [string, Record<string, Rules>, object])[] = [
        [
          'another rule at the other end',
          { customers: { code: WORDS }, orders: { customer_code: svc('uuid_v4') } },
          { code: 'key_rules_contradict', tableIndex: 3, columnIndex: 0 },
        ],
        [
          'a reference that must be preserved',
          { customers: { code: WORDS }, orders: { customer_code: { preserve: true } } },
          { code: 'key_rules_contradict', tableIndex: 3, columnIndex: 0 },
        ],
        [
          'NULLs in a key',
          { orders: { id: { ...svc('uuid_v4'), nullable: true } } },
          { code: 'nullable_refused', tableIndex: 3, columnIndex: 0 },
        ],
        [
          'a key that reads another column',
          { customers: { name: WORDS, code: { generator: 'template', pattern: '{{name}}{{uuid}}' } } },
          { code: 'rule_depends_on_row', tableIndex: 0, columnIndex: 1 },
        ],
        [
          'fewer values than keys',
          { customers: { id: svc('int_between', { min: 1000, max: 1198 }) } },
          { code: 'unique_capacity', tableIndex: 0, columnIndex: 0 },
        ],
      ];
      await databases(SCHEMA, ROWS);
      await target.query("INSERT INTO customers VALUES (7, 'old', NULL, NULL)");
      for (const [what, rules, failure] of refused)
        expect([what, (await run(listed(rules))).failure]).toEqual([what, failure]);
      const unlisted = { code: 'key_referenced_elsewhere', tableIndex: 0, columnIndex: 0 };
      expect((await run({ customers: { id: svc('sequence') } })).failure).toEqual(unlisted);
      expect(await rowsOf(target, 'customers')).toHaveLength(1);
    });

    const TARGETS: readonly string[] = ['lacks the tables', 'has no keys', 'has the same keys'];
    inBoth.each(casesOf(TARGETS, 1))(
      'masks keys together with the columns of partitions that reference them, if the target %s',
      async (onTarget) => {
        const tables = `
          CREATE TABLE customer (id int PRIMARY KEY, name text);
          CREATE TABLE bill (id int, customer int, name text) PARTITION BY RANGE (id);
          CREATE TABLE bill_1 (customer int, name text, id int);
          ALTER TABLE bill ATTACH PARTITION bill_1 FOR VALUES FROM (0) TO (200);
          CREATE TABLE bill_2 PARTITION OF bill DEFAULT PARTITION BY LIST (id);
          CREATE TABLE bill_3 PARTITION OF bill_2 DEFAULT;
          CREATE TABLE note (bill int, id int);
        `;
        const references = `
          ALTER TABLE bill_1 ADD UNIQUE (id), ADD FOREIGN KEY (customer) REFERENCES customer;
          ALTER TABLE bill_3 ADD FOREIGN KEY (customer) REFERENCES customer;
          ALTER TABLE note ADD FOREIGN KEY (bill) REFERENCES bill_1 (id);
        `;
        await databases(
          tables,
          `${references}
           INSERT INTO customer SELECT i, 'name ' || i FROM generate_series(1, 100) i;
           INSERT INTO bill SELECT i, 1 + i % 100, 'name ' || 1 + i % 100 FROM generate_series(1, 300) i;
           INSERT INTO note SELECT i, i FROM generate_series(1, 100) i;`,
          { 'has no keys': tables, 'has the same keys': tables + references }[onTarget] ?? '',
        );
        const outcome = await run({
          customer: { id: svc('int_between', { min: 1001, max: 2000 }) },
          bill: {},
          note: {},
        });
        expect(outcome.failure).toBeUndefined();
        const joins = outcome.completed?.verification.checks.filter(({ kind }) => kind === 'joins');
        expect(joins).toEqual([{ kind: 'joins', tableIndex: 1, ok: true, lookedAt: 1 }]);
        const { rows } = await target.query(
          `SELECT count(*)::int AS n, count(*) FILTER (WHERE c.name = b.name)::int AS right FROM bill b LEFT JOIN customer c ON c.id = b.customer`,
        );
        expect(rows).toEqual([{ n: 300, right: 300 }]);
      },
    );

    it('masks the key of a partition only if the job lists all partitions that references can point to', async () => {
      const tables = `
        CREATE TABLE item (id int, kind text, name text, parent int, PRIMARY KEY (id, kind)) PARTITION BY LIST (kind);
        CREATE TABLE item_a PARTITION OF item FOR VALUES IN ('a');
        CREATE TABLE item_b PARTITION OF item FOR VALUES IN ('b');
      `;
      const note = `CREATE TABLE note (item int, kind text, name text, FOREIGN KEY (item, kind) REFERENCES item);`;
      const rows = `
        INSERT INTO item SELECT i, k, k || i FROM generate_series(1, 50) i, unnest('{a,b}'::text[]) k;
        INSERT INTO note SELECT id, kind, name FROM item;`;
      const id = svc('int_between', { min: 1, max: 1000 });
      const refused = { code: 'key_referenced_elsewhere', tableIndex: 0, columnIndex: 0 };
      await databases(tables + note, rows, tables + note + rows);
      expect((await run({ item_a: { id }, note: {} })).failure).toEqual(refused);
      expect((await run({ item_a: {}, note: {} })).failure).toBeUndefined();
      expect((await run({ item_a: { id }, item_b: { id }, note: {} })).failure).toBeUndefined();
      const { rows: joined } = await target.query(
        `SELECT count(*)::int AS n FROM note n JOIN item i ON (n.item, n.kind, n.name) = (i.id, i.kind, i.name)`,
      );
      expect(joined).toEqual([{ n: 100 }]);

      // Only the target has the key, which a reference within the table or an unlisted table has.
      await databases(
        tables,
        '',
        `${tables} ALTER TABLE item ADD FOREIGN KEY (parent, kind) REFERENCES item`,
      );
      expect((await run({ item_a: { id } })).failure).toEqual(refused);
      await databases(tables, '', tables + note);
      expect((await run({ item_a: { id } })).failure).toEqual(refused);
    });
  });

  describe('that are unique', () => {
    afterEach(() => harness.dropAll());
    const UNIQUE = `
      CREATE TABLE t (id int PRIMARY KEY, mail varchar(30), a int NOT NULL, b text, c int, d text, UNIQUE (a, b), EXCLUDE (d WITH =));
      CREATE UNIQUE INDEX ON t (lower(mail));
    `;
    const FILL = `INSERT INTO t SELECT i, CASE WHEN i % 5 > 0 THEN 'm' || i END, i % 10, 'b' || i, i, 'd' || i FROM generate_series(1, 300) i`;

    it('fills unique keys without collisions, and with the same values in each run', async () => {
      await databases(UNIQUE, FILL);
      const rules = {
        id: svc('int_between', { min: 1, max: 300 }),
        mail: { type: 'list', values: Array.from({ length: 600 }, (_, i) => (i % 2 ? 'm' : 'M') + (i >> 1)) },
        b: { type: 'list', values: Array.from({ length: 60 }, (_, i) => `v${i}`) },
        c: { ...svc('int_between', { min: 1, max: 300 }), unique: true },
        d: { type: 'list', values: Array.from({ length: 600 }, (_, i) => `d${i}`) },
      };
      const made: string[][] = [];
      for (let i = 0; i < 2; i++) {
        const outcome = await run({ t: rules });
        expect(outcome.failure).toBeUndefined();
        expect(outcome.completed?.warnings).toEqual([]);
        const { rows } = await target.query(
          `SELECT count(DISTINCT id)::int AS ids, min(id) AS least, max(id) AS most, count(mail)::int AS mails,
                  count(DISTINCT lower(mail))::int AS folded, count(DISTINCT c)::int AS cs, count(DISTINCT b)::int < 61 AS few,
                  count(DISTINCT d)::int AS ds FROM t`,
        );
        expect(rows).toEqual([
          { ids: 300, least: 1, most: 300, mails: 240, folded: 240, cs: 300, few: true, ds: 300 },
        ]);
        made.push(await rowsOf(target, 't'));
      }
      expect(made[1]).toEqual(made[0]);
    });

    it('never gives two originals the same value with a consistent rule, in any column that has the rule', async () => {
      await databases(
        `CREATE TABLE t (id int PRIMARY KEY, name text UNIQUE); CREATE TABLE u (name text, doc jsonb);`,
        `INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, 300) i;
         INSERT INTO u SELECT 'n' || i, jsonb_build_object('name', 'n' || i) FROM generate_series(1, 300, 3) i`,
      );
      const rule = { ...WORDS, consistent: true };
      const tables = { t: { name: rule }, u: { name: rule, doc: { json: { name: rule } } } };
      expect((await run(tables)).failure).toBeUndefined();
      const { rows } = await target.query(
        `SELECT (SELECT count(DISTINCT name) FROM t)::int AS names,
                (SELECT count(*) FROM u JOIN t USING (name) WHERE doc ->> 'name' = name)::int AS joined,
                (SELECT count(DISTINCT name) FROM u)::int AS others`,
      );
      expect(rows).toEqual([{ names: 300, joined: 100, others: 100 }]);
    });

    it('fails before any row is copied if there are too few values, and warns if there are hardly enough', async () => {
      await databases(UNIQUE, FILL);
      const mails = (count: number) => ({
        t: { mail: { type: 'list', values: Array.from({ length: count }, (_, i) => `x${i}`) } },
      });
      const failure = { code: 'unique_capacity', tableIndex: 0, columnIndex: 0 };
      expect((await run(mails(239))).failure).toEqual(failure);
      expect((await run({ t: { mail: { generator: 'template', pattern: 'same' } } })).failure).toEqual(
        failure,
      );
      const outcome = await run(mails(260));
      expect(outcome.completed?.warnings).toEqual([{ code: 'unique_scarce', tableIndex: 0, columnIndex: 0 }]);
      const asked = { t: { c: { ...svc('int_between', { min: 1, max: 299 }), unique: true } } };
      expect((await run(asked)).failure).toEqual(failure);
      expect((await run({ t: { b: { generator: 'template', pattern: 'one' } } })).failure).toEqual({
        code: 'unique_capacity',
        tableIndex: 0,
        columnIndex: 0,
      });
    });

    it('keeps keys unique across partitions and in tables without a primary key, for any chunk size', async () => {
      const schema = `
        CREATE TABLE p (part int, code text, old int, UNIQUE (part, code)) PARTITION BY LIST (part);
        CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1);
        CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2, 3);
        CREATE TABLE h (mail text UNIQUE, id int UNIQUE, n int);
      `;
      await databases(
        schema,
        `INSERT INTO p SELECT 1 + i % 3, 'c' || i, i FROM generate_series(1, 3000) i;
         INSERT INTO h SELECT 'm' || i, i, i FROM generate_series(1, 3000) i`,
      );
      const values = Array.from({ length: 1500 }, (_, i) => `v${i}`);
      const tables = {
        p: {
          code: { type: 'list', values },
          old: { ...svc('int_between', { min: 1, max: 3000 }), unique: true },
        },
        h: {
          mail: { generator: 'template', pattern: '{{uuid}}@x.org' },
          id: svc('int_between', { min: 1, max: 5000 }),
        },
      };
      const made: string[][] = [];
      for (const copy of [
        { chunkBytes: 1 << 26, connections: 1 },
        { chunkBytes: 8192, connections: 3 },
      ]) {
        const outcome = await harness.run(harness.command(source.url, target.url, tables), { copy });
        expect(outcome.failure).toBeUndefined();
        made.push([...(await rowsOf(target, 'p')), ...(await rowsOf(target, 'h'))]);
      }
      expect(made[1]).toEqual(made[0]);
      const { rows } = await target.query(
        `SELECT (SELECT count(DISTINCT old) FROM p)::int AS olds, (SELECT count(DISTINCT id) FROM h)::int AS ids,
                (SELECT count(*) FROM h WHERE id = n)::int < 10 AS moved`,
      );
      expect(rows).toEqual([{ olds: 3000, ids: 3000, moved: true }]);
    });

    it('counts rows in the order of the key', async () => {
      await databases(UNIQUE, FILL);
      expect((await run({ t: { c: svc('sequence', { start: 10, step: 10 }) } })).failure).toBeUndefined();
      const { rows } = await target.query('SELECT count(*)::int AS n FROM t WHERE c = id * 10');
      expect(rows).toEqual([{ n: 300 }]);
    });
  });

  describe('and for columns that accept only some values', () => {
    const TYPES = `
      CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE DOMAIN grade AS int NOT NULL CHECK (value BETWEEN 1 AND 6);
      CREATE DOMAIN posted AS date CHECK (value > '2000-01-01');
      CREATE TABLE t (id int PRIMARY KEY, n int, price numeric(5,2), m mood, g grade DEFAULT 1, d posted, u uuid, ok boolean, tags int[],
        email text CHECK (email ~ '^[^@]+@[^@]+$'), kind text CHECK (kind IN ('a', 'b')), low int, high int, CHECK (low < high),
        needed text NOT NULL, code varchar(3), single int UNIQUE);
    `;
    const FILL = `INSERT INTO t SELECT i, i, 1, 'sad', 1, '2020-01-01', gen_random_uuid(), true, '{3}', 'a@b', 'a', 1, 2, 'x', 'y', i
      FROM generate_series(1, 5) i`;
    const template = (pattern: string) => ({ generator: 'template', pattern });
    beforeAll(() => databases(TYPES, FILL));
    afterAll(() => harness.dropAll());
    const int = (min: number, max: number) => svc('int_between', { min, max });

    const FITTING: readonly [string, Rules, boolean][] = [
      ['text in an int', { n: template('no') }, false],
      ['labels of an enum', { m: { type: 'list', values: ['sad', 'happy'] } }, true],
      ['out of a domain', { g: int(1, 7) }, false],
      ['against a regular expression', { email: { generator: 'en_US/first_names' } }, false],
      ['a pair against a check', { low: int(5, 9), high: int(1, 4) }, false],
      ['NULLs where none may be', { needed: { ...template('x'), nullable: 0.01 } }, false],
      ['a cut text', { code: template('{{uuid}}') }, true],
      ['digits in an int', { n: template('12') }, true],
      ['too large a number', { n: int(0, 5_000_000_000) }, false],
      ['too many digits', { price: int(1000, 9999) }, false],
      ['rounded digits', { price: svc('float_between', { min: 0, max: 999, precision: 4 }) }, true],
      ['no label of an enum', { m: { type: 'list', values: ['sad', 'angry'] } }, false],
      ['in a domain', { g: int(1, 6) }, true],
      ['an old date', { d: template('1999-01-01') }, false],
      ['no date', { d: template('2024-02-30') }, false],
      ['a date', { d: template('2024-02-29') }, true],
      ['no uuid', { u: template('x') }, false],
      ['a uuid', { u: template('{{uuid}}') }, true],
      ['a word for a boolean', { ok: template('perhaps') }, false],
      ['an array of texts', { tags: template('{a}') }, false],
      ['an array', { tags: template('{1,2}') }, true],
      ['with a regular expression', { email: template('{{uuid}}@x.org') }, true],
      ['none of a list', { kind: { type: 'list', values: ['a', 'c'] } }, false],
      ['a pair with a check', { low: int(1, 4), high: int(5, 9) }, true],
      ['NULLs in a domain without', { g: { ...int(1, 6), nullable: 0.01 } }, false],
      ['NULLs where they may be', { single: { ...int(1, 999), nullable: 0.5 } }, true],
    ];
    inBoth.each(casesOf(FITTING, 7))(
      'decides before any row is copied whether the values fit: %s',
      async (_, rules, fits) => {
        const { failure } = await run({ t: rules });
        if (fits) expect(failure).toBeUndefined();
        else {
          const code = expect.stringMatching(/^(rule_misfit|nullable_refused)$/);
          expect(failure).toMatchObject({ code, tableIndex: 0 });
        }
      },
    );

    const PARTS: readonly [string, Rules][] = [
      ['a domain', { g: int(1, 7) }],
      ['a type', { n: template('no') }],
      ['a CHECK constraint', { kind: { type: 'list', values: ['a', 'c'] } }],
    ];
    inBoth.each(casesOf(PARTS, 1))(
      'refuses values that do not fit %s of a table that the job creates',
      async (_, rules) => {
        const empty = await harness.database();
        const outcome = await harness.run(harness.command(source.url, empty.url, { t: rules }));
        expect(outcome.failure).toMatchObject({ code: 'rule_misfit', tableIndex: 0 });
      },
    );
  });

  describe('from which the server computes a column of a foreign key', () => {
    afterEach(() => harness.dropAll());
    const uuid = { generator: 'template', pattern: '{{uuid}}' };
    const same = { ...uuid, consistent: true };
    const PARENT = `
      CREATE TABLE parent (id int PRIMARY KEY, x text, g text GENERATED ALWAYS AS (lower(x)) STORED UNIQUE, doc jsonb,
        no text GENERATED ALWAYS AS (doc ->> 'no') STORED UNIQUE, k text UNIQUE);
      INSERT INTO parent (id, x, doc, k) SELECT i, 'X' || i, jsonb_build_object('no', i, 'mail', 'm'), chr(64 + i) FROM generate_series(1, 20) i;`;
    const child = (x: string, g: string, parent: string) =>
      `CREATE TABLE child (id int PRIMARY KEY, x text, g text GENERATED ALWAYS AS (${g}) STORED, CONSTRAINT of_parent FOREIGN KEY (g) REFERENCES parent (${parent}));
       INSERT INTO child (id, x) SELECT i, ${x} FROM generate_series(1, 20) i`;
    const plain = `CREATE TABLE child (id int PRIMARY KEY, x text CONSTRAINT of_parent REFERENCES parent (g)); INSERT INTO child SELECT i, 'x' || i FROM generate_series(1, 20) i`;
    const at = (tableIndex: number) => ({ tableIndex, columnIndex: 0 });
    const broken = (tableIndex: number) => ({
      ...{ code: 'rule_misfit', ...at(tableIndex), constraintKind: 'foreign_key' },
      problems: [expect.objectContaining({ constraint: 'of_parent' })],
    });

    const COMPUTED: readonly [string, string, Record<string, Rules>, string, object | undefined][] = [
      ['a key', plain, { parent: { x: uuid }, child: {} }, '', broken(0)],
      [
        'both apart from each other',
        child("'X' || i", 'lower(x)', 'g'),
        { parent: { x: same }, child: { x: uuid } },
        '',
        broken(0),
      ],
      [
        'a key of an unlisted table',
        plain,
        { parent: { x: uuid } },
        PARENT + plain,
        { code: 'key_referenced_elsewhere', ...at(0) },
      ],
      [
        'the same values',
        child("'A' || i", 'left(x, 1)', 'k'),
        { parent: {}, child: { x: { ...uuid, pattern: 'A{{uuid}}' } } },
        '',
        undefined,
      ],
      [
        'what only NULL changes',
        child("'y'", "CASE WHEN x IS NULL THEN 'B' ELSE 'A' END", 'k'),
        { parent: {}, child: { x: uuid } },
        '',
        undefined,
      ],
      [
        'another part of a document',
        plain.replace('(g)', '(no)').replace("'x' || i", 'i'),
        { parent: { doc: { json: { mail: uuid } } }, child: {} },
        '',
        undefined,
      ],
      ['a reference', child("'X' || i", 'lower(x)', 'g'), { parent: {}, child: { x: uuid } }, '', broken(1)],
      ['a key whose reference has a rule', plain, { parent: { x: uuid }, child: { x: uuid } }, '', broken(0)],
      ['a key of an existing table', plain, { parent: { x: uuid }, child: {} }, PARENT + plain, broken(0)],
      [
        'both in the same way',
        child("'X' || i", 'lower(x)', 'g'),
        { parent: { x: same }, child: { x: same } },
        '',
        undefined,
      ],
    ];
    inBoth.each(casesOf(COMPUTED, 6))(
      'is refused only if references would break: %s',
      async (_, sql, rules, existing, refused) => {
        await databases(PARENT, sql, existing.replaceAll(/INSERT INTO child.*/g, ''));
        const { predicted } = await run(rules, { dryRun: true });
        expect(predicted?.failures).toMatchObject(refused === undefined ? [] : [refused]);
        if (refused === undefined) expect((await run(rules)).failure).toBeUndefined();
      },
    );
  });
});
