import { Client } from 'pg';
import type { TestDatabase } from '@understudy/testing';
import { listedKeys } from '@understudy/postgres';
import type { SyncJobCommand, VerificationCheck } from '@understudy/sync-job';
import type { TargetCheck } from '../../../src/checks/verify-target/target-check.js';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import type { SyncEnvironment } from '../../../src/environment.js';
import { SyncHarness, type Outcome, type Rules } from '../sync-harness.js';

const KEY = { generator: 'template', pattern: '{{uuid}}' };
const NUMBER = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 1_000_000 } };
const DIGITS = { type: 'svc', algorithm: 'digits', params: { digits: 9 } };

/** Parents with masked keys. The children of two parents have equal numbers of rows. */
const SHOP = `
  CREATE TABLE customer (login text PRIMARY KEY, city text, boss text REFERENCES customer);
  CREATE TABLE orders (id int PRIMARY KEY, customer text REFERENCES customer, total numeric);
  INSERT INTO customer SELECT 'u' || n, 'city ' || n, 'u' || (n + 1) / 2 FROM generate_series(1, 20) n;
  INSERT INTO orders SELECT n, 'u' || 1 + n % 20, n FROM generate_series(1, 60) n;
  INSERT INTO orders VALUES (61, NULL, 1);
`;
const SHOP_RULES = { customer: { login: KEY }, orders: {} };

/** Exchanges the references of two rows. `where` selects exactly two rows. */
const exchange = (table: string, column: string, where: string) => `
  UPDATE ${table} AS t SET ${column} = o.${column} FROM ${table} AS o WHERE t.ctid <> o.ctid AND (t.${where}) AND (o.${where})`;

describe('the comparison of joins', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  /** Runs a job, and changes its staged rows before they are verified. `change` receives the name of a staged table. */
  async function runChanged(
    command: SyncJobCommand,
    target: TestDatabase,
    {
      copy,
      change,
    }: Pick<SyncEnvironment, 'copy'> & { change?: (staged: (table: string) => string) => string },
  ): Promise<Outcome> {
    const corrupt = async () => {
      if (change === undefined) return;
      const { rows } = await target.query(
        `SELECT relname AS name, oid::regclass::text AS staged FROM pg_class
          WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace <> 'public'::regnamespace`,
      );
      const staged = (table: string) => {
        const index = command.tables.findIndex(({ name }) => name === table);
        const found = rows.find(({ name }) => name === table || name === `rows_${index}`);
        return String(found?.['staged']);
      };
      await target.query(change(staged));
    };
    return harness.run(command, {
      copy,
      reached: (step) => (step === 'all_chunks_committed' ? corrupt() : undefined),
    });
  }

  const joinsOf = (checks: readonly (VerificationCheck | TargetCheck)[] = []) =>
    checks.flatMap((check) => {
      if (check.kind !== 'joins') return [];
      const { tableIndex, lookedAt } = check;
      return [[tableIndex, 'ok' in check ? check.ok : check.outcome, lookedAt]];
    });

  const verify = (command: SyncJobCommand, copied: ReadonlyMap<number, number>) =>
    verifyTarget({
      ...{ command, copied, environment: harness.environment(), run: 'unknown_run' },
      onProgress: () => undefined,
      signal: new AbortController().signal,
      keepSnapshot: () => () => undefined,
    });

  it.each([
    ['missing tables', '', 0],
    ['existing tables that are swapped', SHOP, 0],
    ['existing tables that are rewritten', SHOP, Number.MAX_SAFE_INTEGER],
  ])(
    'finds two exchanged references among the staged rows of %s, and leaves the target unchanged',
    async (_, existing, swapFromBytes) => {
      const source = await harness.database(SHOP);
      const target = await harness.targetDatabase(existing);
      const content = `SELECT query_to_xml('TABLE ' || oid::regclass, true, false, '')::text AS rows FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`;
      const before = await target.query(content);
      const command = harness.command(source.url, target.url, SHOP_RULES);
      const copy = { ...harness.environment().copy, swapFromBytes };
      const change = (staged: (table: string) => string) =>
        exchange(staged('orders'), 'customer', 'id IN (1, 2)');
      const outcome = await runChanged(command, target, { copy, change });
      expect(outcome.failure).toMatchObject({ code: 'verification_failed', side: 'target', tableIndex: 1 });
      expect(joinsOf(outcome.failure?.verification?.checks)).toEqual([
        [0, true, 1],
        [1, false, 1],
      ]);
      expect((await target.query(content)).rows).toEqual(before.rows);
    },
  );

  it('finds exchanged references of a finished target, also of a key that references its own table', async () => {
    const source = await harness.database(SHOP);
    const target = await harness.targetDatabase();
    const command = harness.command(source.url, target.url, SHOP_RULES);
    const { failure } = await harness.run(command);
    expect(failure).toBeUndefined();
    const copied = new Map([
      [0, 20],
      [1, 61],
    ]);
    const customers = exchange('customer', 'boss', "city IN ('city 3', 'city 20')");
    const orders = exchange('orders', 'customer', 'id IN (1, 2)');
    await target.query(orders);
    expect(joinsOf(await verify(command, copied))).toEqual([
      [0, 'holds', 1],
      [1, 'fails', 1],
    ]);
    await target.query(`${orders}; ${customers}`);
    expect(joinsOf(await verify(command, copied))).toEqual([
      [0, 'fails', 1],
      [1, 'holds', 1],
    ]);
    // A row that was inserted into the source since the copy makes a comparison that fails pointless.
    await source.query("INSERT INTO customer VALUES ('new', 'x', 'u1')");
    expect(joinsOf(await verify(command, copied))).toEqual([
      [0, 'not_comparable', 1],
      [1, 'not_comparable', 1],
    ]);
  });

  /** Copies all tables of a schema and expects each join to be equal. @returns the results and the target */
  async function joined(
    schema: string,
    rules: Readonly<Record<string, Rules>>,
    more: Partial<SyncJobCommand> = {},
    onTarget = '',
  ): Promise<{ joins: unknown[]; command: SyncJobCommand; target: TestDatabase }> {
    const source = await harness.database(schema);
    const target = await harness.targetDatabase(onTarget);
    const command = { ...harness.command(source.url, target.url, rules), ...more };
    const { completed, failure } = await harness.run(command);
    expect(failure).toBeUndefined();
    return { joins: joinsOf(completed?.verification.checks), command, target };
  }

  it('compares composite keys with NULLs, two keys to one table, other types, partitions and dangling references', async () => {
    const schema = `
      CREATE TABLE part (code varchar(40), n numeric, at date, label text, PRIMARY KEY (code, n, at)) PARTITION BY RANGE (at);
      CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
      CREATE TABLE part_2 PARTITION OF part DEFAULT;
      CREATE TABLE kid (id int8, code text, n int, at date, other_code text, other_n numeric(12, 2), other_at date,
        FOREIGN KEY (code, n, at) REFERENCES part (code, n, at),
        FOREIGN KEY (other_code, other_n, other_at) REFERENCES part (code, n, at)) PARTITION BY HASH (id);
      CREATE TABLE kid_1 PARTITION OF kid FOR VALUES WITH (MODULUS 1, REMAINDER 0);
      CREATE TABLE full_kid (code text, n int, at date, FOREIGN KEY (code, n, at) REFERENCES part MATCH FULL);
      CREATE TABLE late (id int PRIMARY KEY, code char(12) UNIQUE, parent char(12));
      CREATE TABLE odd ("k0" varchar(60) COLLATE "POSIX", "K ""1" tstzrange, n int, PRIMARY KEY ("k0", "K ""1"));
      CREATE TABLE odd_kid (k1 varchar(60) COLLATE "C", k0 tstzrange, id int, FOREIGN KEY (k1, k0) REFERENCES odd);
      CREATE TABLE same (id int PRIMARY KEY); CREATE TABLE same_kid (id int REFERENCES same);
      INSERT INTO part SELECT 'c' || n % 7, n, date '2020-06-01' + n * 10, 'l' || n FROM generate_series(1, 40) n;
      INSERT INTO kid SELECT i, 'c' || n % 7, n, date '2020-06-01' + n * 10, CASE WHEN i % 3 > 0 THEN 'c' || m % 7 END, m, date '2020-06-01' + m * 10
        FROM generate_series(1, 90) i, LATERAL (SELECT 1 + i % 40 AS n, 1 + i % 9 AS m) x;
      INSERT INTO full_kid SELECT code, n, at FROM part LIMIT 5; INSERT INTO full_kid VALUES (NULL, NULL, NULL);
      INSERT INTO late SELECT i, 'l' || i, 'l' || i / 2 FROM generate_series(1, 20) i;
      ALTER TABLE late ADD FOREIGN KEY (parent) REFERENCES late (code) NOT VALID;
      INSERT INTO odd SELECT 'k' || n, tstzrange(now() + n * interval '1 h', now() + (n + 1) * interval '1 h'), n FROM generate_series(1, 5) n;
      INSERT INTO odd_kid SELECT * FROM odd`;
    const { joins, command, target } = await joined(schema, {
      part: { code: KEY },
      kid: {},
      full_kid: {},
      late: { code: DIGITS },
      odd: { k0: KEY },
      odd_kid: {},
      same: {},
      same_kid: {},
    });
    expect(joins).toEqual([
      [1, true, 2],
      [2, true, 1],
      [3, true, 1],
      [5, true, 1],
    ]);
    const copied = new Map([40, 90, 6, 20, 5, 5, 0, 0].map((rows, index) => [index, rows]));
    const swap = exchange('kid', 'other_code', 'id IN (1, 2)');
    await target.query(`SET session_replication_role = replica; ${swap}`);
    expect(joinsOf(await verify(command, copied))).toEqual([
      [1, 'fails', 2],
      [2, 'holds', 1],
      [3, 'holds', 1],
      [5, 'holds', 1],
    ]);
  });

  it('reads only the rows of the subset, and keeps the choice of a rule that makes new references', async () => {
    const { joins } = await joined(
      `${SHOP} CREATE TABLE region (id int PRIMARY KEY, label text); INSERT INTO region SELECT n, 'r' || n FROM generate_series(1, 9) n;
       CREATE TABLE shop (id int PRIMARY KEY, region int REFERENCES region); INSERT INTO shop SELECT n, n FROM generate_series(1, 9) n;`,
      {},
      {
        tables: [
          { name: 'customer', columns: [{ name: 'login', rule: KEY }], subset: { where: "city < 'city 3'" } },
          { name: 'orders', columns: [] },
          { name: 'region', columns: [] },
          {
            name: 'shop',
            columns: [{ name: 'region', rule: { ...NUMBER, params: { min: 1, max: 9 } } }],
          },
        ],
      } as unknown as Partial<SyncJobCommand>,
    );
    expect(joins).toEqual([
      [0, true, 1],
      [1, true, 1],
    ]);
  });

  it('keeps the choice of a rule that makes new references to a column that is computed from preserved ones', async () => {
    const { joins } = await joined(
      `CREATE TABLE kind (name text, secret text, code text GENERATED ALWAYS AS (upper(name)) STORED UNIQUE);
       INSERT INTO kind SELECT 'k' || n, 's' || n FROM generate_series(1, 9) n;
       CREATE TABLE part (id int, kind text REFERENCES kind (code)); INSERT INTO part SELECT n, 'K' || n FROM generate_series(1, 9) n`,
      { kind: { secret: KEY }, part: { kind: { type: 'list', values: ['K1', 'K2'] } } },
    );
    expect(joins).toEqual([]);
  });

  it('does not compare a key with a column that is computed from one that becomes NULL', async () => {
    const { joins } = await joined(
      `CREATE TABLE kind (id text PRIMARY KEY); INSERT INTO kind VALUES ('a');
       CREATE TABLE part (id int PRIMARY KEY, code text, kind text GENERATED ALWAYS AS (left(code, 1)) STORED REFERENCES kind);
       INSERT INTO part (id, code) VALUES (1, 'a1'), (2, 'a2')`,
      { kind: {}, part: {} },
      { unlistedColumns: 'null' },
    );
    expect(joins).toEqual([]);
  });

  it('compares the numbers of children if no column is preserved, and does not see exchanged children then', async () => {
    const schema = `
      CREATE TABLE parent (id text PRIMARY KEY); CREATE TABLE child (parent text REFERENCES parent);
      INSERT INTO parent SELECT 'p' || n FROM generate_series(1, 5) n;
      INSERT INTO child SELECT 'p' || n FROM generate_series(1, 5) n, generate_series(1, n)`;
    const { joins, command, target } = await joined(schema, { parent: { id: KEY }, child: {} });
    expect(joins).toEqual([[1, true, 1]]);
    const copied = new Map([
      [0, 5],
      [1, 15],
    ]);
    const result = async (sql: string) => {
      await target.query(sql);
      return joinsOf(await verify(command, copied));
    };
    const ranked = 'SELECT parent, row_number() OVER (ORDER BY count(*)) AS n FROM child GROUP BY parent';
    expect(
      await result(`UPDATE child SET parent = b.parent FROM (${ranked}) a, (${ranked}) b
                     WHERE child.parent = a.parent AND a.n + b.n = 6`),
    ).toEqual([[1, 'holds', 1]]);
    expect(
      await result(
        'UPDATE child SET parent = (SELECT min(id) FROM parent) WHERE ctid = (SELECT max(ctid) FROM child WHERE parent <> (SELECT min(id) FROM parent))',
      ),
    ).toEqual([[1, 'fails', 1]]);
  });

  /** Runs a job whose plan sees no foreign key. */
  async function runBlind(command: SyncJobCommand): Promise<Outcome> {
    const query = Client.prototype.query as (...args: unknown[]) => unknown;
    const spy = jest.spyOn(Client.prototype, 'query');
    const answered: unknown[] = [];
    spy.mockImplementation(function (this: Client, ...args: unknown[]) {
      if (!String(args[0]).includes(listedKeys('$1::oid[]'))) return query.apply(this, args);
      answered.push(args);
      return Promise.resolve({ rows: [] });
    });
    try {
      const outcome = await harness.run(command);
      expect(answered).not.toEqual([]);
      return outcome;
    } finally {
      spy.mockRestore();
    }
  }

  it('finds references that the plan did not see, wherever the foreign key is', async () => {
    const source = await harness.database(`
      CREATE TABLE customer (login text PRIMARY KEY, city text, boss text REFERENCES customer);
      CREATE TABLE orders (id int, customer text);
      CREATE TABLE bill (id int, customer text, name text) PARTITION BY RANGE (id);
      CREATE TABLE bill_1 (name text, gone int, customer text REFERENCES customer, id int); ALTER TABLE bill_1 DROP gone;
      CREATE TABLE bill_2 PARTITION OF bill DEFAULT PARTITION BY LIST (id);
      CREATE TABLE bill_3 PARTITION OF bill_2 DEFAULT;
      CREATE TABLE log (id int, customer text REFERENCES customer) PARTITION BY RANGE (id);
      CREATE TABLE log_1 PARTITION OF log DEFAULT;
      CREATE TABLE part (code text, n int, label text, PRIMARY KEY (code, n)) PARTITION BY LIST (n);
      CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1); CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
      CREATE TABLE use (id int, n int, code text, FOREIGN KEY (code, n) REFERENCES part);
      CREATE TABLE item (code text, n int, label text) PARTITION BY LIST (n);
      CREATE TABLE item_1 PARTITION OF item (PRIMARY KEY (code)) FOR VALUES IN (1);
      CREATE TABLE sold (id int, item text REFERENCES item_1);
      INSERT INTO customer SELECT 'u' || n, 'city ' || n, 'u' || (n + 1) / 2 FROM generate_series(1, 9) n;
      INSERT INTO orders SELECT n, 'u' || n FROM generate_series(1, 9) n;
      ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customer NOT VALID;
      ALTER TABLE bill ATTACH PARTITION bill_1 FOR VALUES FROM (0) TO (5);
      INSERT INTO bill SELECT id, customer, 'n' FROM orders; INSERT INTO log TABLE orders;
      INSERT INTO part SELECT 'p' || n, n, 'l' FROM generate_series(1, 2) n; INSERT INTO use SELECT n, n, code FROM part;
      INSERT INTO item SELECT 'i' || n, 1, 'l' FROM generate_series(1, 3) n; INSERT INTO sold SELECT 1, code FROM item`);
    const target = await harness.targetDatabase(`
      CREATE TABLE customer (login text PRIMARY KEY, city text, boss text);
      CREATE TABLE orders (id int, customer text); CREATE TABLE bill (id int, customer text, name text);
      CREATE TABLE log_1 (LIKE orders); CREATE TABLE part_1 (code text, n int, label text);
      CREATE TABLE use (id int, n int, code text); CREATE TABLE item (LIKE part_1); CREATE TABLE sold (id int, item text)`);
    const { failure } = await runBlind(
      harness.command(source.url, target.url, {
        customer: { login: KEY },
        orders: {},
        bill: {},
        log_1: {},
        part_1: { code: KEY },
        use: {},
        item: { code: KEY },
        sold: {},
      }),
    );
    expect(failure).toMatchObject({ code: 'verification_failed', tableIndex: 0 });
    expect(joinsOf(failure?.verification?.checks)).toEqual(
      [0, 1, 2, 3, 5, 7].map((table) => [table, false, 1]),
    );
  });

  it('fails if the plan did not see a key whose columns cannot be compared', async () => {
    const source = await harness.database(
      `CREATE FUNCTION compared(point, point) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 ~= $2 THEN 0 WHEN $1[0] < $2[0] THEN -1 ELSE 1 END';
       CREATE OPERATOR CLASS by_place FOR TYPE point USING btree AS OPERATOR 3 ~=, FUNCTION 1 compared(point, point);
       CREATE TABLE spot (code text, at point); CREATE UNIQUE INDEX ON spot (code, at by_place);
       CREATE TABLE trip (code text, at point, FOREIGN KEY (code, at) REFERENCES spot (code, at))`,
    );
    const target = await harness.targetDatabase(
      'CREATE TABLE spot (code text, at point); CREATE TABLE trip (LIKE spot)',
    );
    const command = harness.command(source.url, target.url, { spot: { code: KEY }, trip: {} });
    const failure = { code: 'key_equality_unsupported', tableIndex: 1 };
    expect((await runBlind(command)).failure).toMatchObject(failure);
  });

  it.each([
    ['of a preserved column, if its tables are swapped', 'customer', 0],
    ['of a preserved column, if its tables are rewritten', 'customer', Number.MAX_SAFE_INTEGER],
    ['of a column that another key masks', 'member', 0],
  ])('compares a foreign key that the target got during the copy, %s', async (_, parent, swapFromBytes) => {
    const kept = parent === 'member' ? 'REFERENCES customer' : '';
    const schema = `${SHOP.replaceAll('REFERENCES customer', kept)} CREATE TABLE member AS TABLE customer; ALTER TABLE member ADD PRIMARY KEY (login)`;
    const source = await harness.database(schema);
    const target = await harness.targetDatabase(schema);
    const late = `ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES ${parent} NOT VALID`;
    const command = harness.command(source.url, target.url, { ...SHOP_RULES, member: {} });
    const { failure } = await harness.run(command, {
      copy: { ...harness.environment().copy, swapFromBytes },
      reached: async (step) => {
        if (step === 'all_chunks_committed') await target.query(late);
      },
    });
    expect(failure).toMatchObject({ code: 'verification_failed', side: 'target', tableIndex: 1 });
    expect(joinsOf(failure?.verification?.checks)).toContainEqual([1, false, 1]);
  });
});
