import fc from 'fast-check';
import type { TestDatabase } from '@understudy/testing';
import { inRelease, it } from '@understudy/testing';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import { SyncHarness, type Outcome, type Rules } from '../sync-harness.js';

const list = (values: readonly unknown[], more: object = {}) => ({ type: 'list', values, ...more });
const texts = (count: number, more: object = {}) =>
  list(
    numbers(count, (i) => `v${i}`),
    more,
  );
const UUID = { type: 'svc', algorithm: 'uuid_v4' };
const COLLATIONS = `
  CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  CREATE COLLATION base_letters (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
  CREATE EXTENSION citext;
`;

function numbers<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** A key and its references. Each inner list has spellings of one value; the key has the first one. */
interface Scene {
  readonly title: string;
  /** The type of the key, with its collation. */
  readonly type: string;
  /** The type of the references, if it differs. */
  readonly child?: string;
  readonly values: readonly (readonly string[])[];
  readonly rule: Rules;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Tables `k<n>` with the keys and `r<n>` with the references. The preserved columns identify each row. */
function sceneSql({ type, child = type, values }: Scene, n: number): string {
  const keys = values.map(([key = ''], i) => `(${literal(key)}, ${i})`);
  const references = values.flatMap((spellings, i) =>
    spellings.map((text, j) => `(${i * 100 + j}, ${literal(text)})`),
  );
  return `
    CREATE TABLE k${n} (k ${type} PRIMARY KEY, n int);
    CREATE TABLE r${n} (id int PRIMARY KEY, k ${child} REFERENCES k${n});
    INSERT INTO k${n} VALUES ${keys.join(', ')};
    INSERT INTO r${n} VALUES ${references.join(', ')};
  `;
}

const JOINED = (n: number) =>
  `SELECT r.id, k.n FROM r${n} r LEFT JOIN k${n} k ON k.k = r.k ORDER BY r.id, k.n`;

/** How the values of a type can be written: numbers select a value, and each inner list has its spellings. */
const SPELLINGS: readonly (readonly [
  types: readonly string[],
  write: (n: number) => readonly string[],
  rule: (n: number) => string,
])[] = [
  [
    ['text COLLATE ci', 'varchar(40) COLLATE ci', 'citext', 'loose_name'],
    (n) => [`Key${n}é`, `key${n}é`, `KEY${n}é`, `kEy${n}é`],
    (n) => `v${n}`,
  ],
  [
    ['text COLLATE base_letters', 'char(20) COLLATE base_letters'],
    (n) => [`Ölu${n}`, `olu${n}`, `ÓLŪ${n}`, `o\u0308lu${n}`],
    (n) => `v${n}`,
  ],
  [
    ['interval', 'duration'],
    (n) => [`${30 * n + 30} days`, `${n + 1} mons`, `${24 * (30 * n + 30)} hours`, `${n} mons 29 days 24:00`],
    (n) => `${n + 1} seconds`,
  ],
  [
    ['float8', 'float4'],
    (n) => (n === 0 ? ['-0', '0'] : [`${n}.50`, `${n}5e-1`.replace(/5e-1$/, '.5')]),
    (n) => `${n}`,
  ],
  [['numeric', 'numeric(9,3)'], (n) => [`${n}.5`, `${n}.50`, `${n}.500`], (n) => `${n}`],
  [['jsonb'], (n) => [`[${n}, {"a": 1.0}]`, `[${n}.0, {"a": 1}]`, `[${n}.00, {"a": 1.000}]`], (n) => `${n}`],
  [['numeric[]'], (n) => [`{${n},NULL}`, `{${n}.0,NULL}`], (n) => `{${n}}`],
  [['text[] COLLATE ci'], (n) => [`{a${n},NULL}`, `{A${n},NULL}`], (n) => `{v${n}}`],
  [['numrange'], (n) => [`[${n},${n}.5)`, `[${n}.0,${n}.50)`], (n) => `[${n},)`],
  [['pair'], (n) => [`(x${n},)`, `(X${n},)`], (n) => `(v${n},1)`],
];

/** A key of 2 to 9 values with a rule that makes just as many, and references in several spellings. */
const scene: fc.Arbitrary<Scene> = fc.constantFrom(...SPELLINGS).chain(([types, write, rule]) =>
  fc
    .record({
      type: fc.constantFrom(...types),
      values: fc
        .uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 2, maxLength: 9 })
        .chain((chosen) =>
          fc.tuple(...chosen.map((n) => fc.shuffledSubarray([...write(n)], { minLength: 1 }))),
        ),
    })
    .map(({ type, values }) => ({
      ...{ title: type, type, values },
      rule: list(numbers(values.length, rule)),
    })),
);

describe('keys whose equal values are written differently', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterAll(() => harness.stop());
  afterEach(() => harness.dropAll());

  async function databases(sql: string): Promise<void> {
    source = await harness.database(COLLATIONS + sql);
    target = await harness.database('CREATE EXTENSION citext');
  }

  async function run(tables: Record<string, Rules>): Promise<Outcome> {
    const command = harness.command(source.url, target.url, tables);
    const outcome = await harness.run(command);
    if (outcome.failure !== undefined) return outcome;
    const checks = await verifyTarget({
      command,
      environment: harness.environment(),
      copied: new Map(outcome.completed?.tables.map(({ tableIndex, rowsTotal }) => [tableIndex, rowsTotal])),
      run: 'known',
      onProgress: () => undefined,
      signal: new AbortController().signal,
      keepSnapshot: () => () => undefined,
    });
    expect(checks.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
    return outcome;
  }

  async function expectSameJoins(query: string): Promise<void> {
    const expected = (await source.query(query)).rows;
    expect(expected.length).toBeGreaterThan(0);
    expect((await target.query(query)).rows).toEqual(expected);
  }

  const SCENES: readonly Scene[] = [
    {
      title: 'a case-insensitive collation',
      type: 'text COLLATE ci',
      values: numbers(20, (i) => [`c${i}x`, `C${i}x`, `C${i}X`]),
      rule: texts(20),
    },
    {
      title: 'a collation that ignores accents',
      type: 'varchar(20) COLLATE base_letters',
      values: [
        ['resume', 'Résumé'],
        ['ete', 'été', 'ÉTÉ'],
        ['naive', 'naïve'],
      ],
      rule: texts(3),
    },
    {
      title: 'citext with a final sigma and letters outside ASCII',
      type: 'citext',
      values: [['ΤΜΗΜΑ1ΟΣ', 'ΤΜΗΜΑ1ΟΣ'], ['straße'], ['Ångström'], ['plain', 'PLAIN', 'Plain']],
      rule: texts(4),
    },
    {
      title: 'interval',
      type: 'interval',
      values: numbers(20, (i) => [`${i + 1} days`, `${24 * (i + 1)} hours`]),
      rule: list(numbers(20, (i) => `${i + 1} hours`)),
    },
    {
      title: 'float8',
      type: 'float8',
      values: [
        ['0', '-0'],
        ['NaN', 'nan'],
        ['1e3', '1000'],
        ['Infinity', 'inf'],
      ],
      rule: list([1, 2, 3, 4]),
    },
    { title: 'float4', type: 'float4', values: [['-0', '0'], ['1.5']], rule: list([1, 2]) },
    {
      title: 'jsonb',
      type: 'jsonb',
      values: [
        ['1', '1.0', '1.00'],
        ['{"a": 2.0}', '{"a": 2}'],
        ['[1.50]', '[1.5]'],
      ],
      rule: list(['7', '8', '9']),
    },
    {
      title: 'arrays of numeric',
      type: 'numeric[]',
      values: [['{1,2}', '{1.0,2.00}'], ['{3}', '{3.0}'], ['{}']],
      rule: list(['{7}', '{8}', '{9}']),
    },
    {
      title: 'arrays of a loose collation',
      type: 'text[] COLLATE ci',
      values: [
        ['{a,b}', '{A,b}'],
        ['{c}', '{C}'],
      ],
      rule: list(['{x}', '{y}']),
    },
    {
      title: 'numeric ranges',
      type: 'numrange',
      values: [
        ['[1,2)', '[1.0,2.0)'],
        ['empty', '(3,3)'],
        ['[5,)', '[5.00,)'],
      ],
      rule: list(['[11,12)', '[13,14)', '[15,16)']),
    },
    {
      title: 'composite types',
      type: 'pair',
      values: [
        ['(a,1)', '(A,1.0)'],
        ['(b,2)', '(b,2.00)'],
        ['(c,)', '(C,)'],
      ],
      rule: list(['(x,1)', '(y,2)', '(z,3)']),
    },
    {
      title: 'a domain over a loose collation',
      type: 'loose_name',
      values: [
        ['ann', 'Ann'],
        ['bob', 'BOB'],
      ],
      rule: texts(2),
    },
    {
      title: 'a domain over interval',
      type: 'duration',
      values: [
        ['1 mon', '30 days'],
        ['1 day', '24:00'],
      ],
      rule: list(['2 days', '3 days']),
    },
    {
      title: 'char(n) and a longer char(n)',
      type: 'char(4)',
      child: 'char(9)',
      values: [['a', 'a  '], ['b']],
      rule: texts(2),
    },
    {
      title: 'char(n) and varchar with trailing blanks',
      type: 'char(4)',
      child: 'varchar(9)',
      values: [
        ['a', 'a  ', 'a'],
        ['b', 'b '],
      ],
      rule: texts(2),
    },
    {
      title: 'numeric',
      type: 'numeric',
      values: [
        ['1', '1.00'],
        ['2.5', '2.50'],
      ],
      rule: list([7, 8]),
    },
    {
      title: 'integers of two widths',
      type: 'int8',
      child: 'int4',
      values: [['1'], ['2']],
      rule: list([8, 9]),
    },
    {
      title: 'inet',
      type: 'inet',
      values: [['10.0.0.1', '10.0.0.1/32'], ['::1']],
      rule: list(['1.1.1.1', '1.1.1.2']),
    },
    {
      title: 'bool',
      type: 'bool',
      values: [
        ['t', 'true'],
        ['f', 'no'],
      ],
      rule: list(['true', 'false']),
    },
  ];
  const TYPES = `
    CREATE TYPE pair AS (name text COLLATE ci, n numeric);
    CREATE DOMAIN loose_name AS text COLLATE ci;
    CREATE DOMAIN duration AS interval CHECK (value > '0');
  `;

  it('keeps the joins of keys of every type, even if the rule has only as many values as the key', async () => {
    await databases(TYPES + SCENES.map(sceneSql).join(''));
    const tables = Object.fromEntries(
      SCENES.flatMap(({ rule }, n) => [
        [`k${n}`, { k: rule }],
        [`r${n}`, {}],
      ]),
    );
    expect((await run(tables)).failure).toBeUndefined();
    for (const [n, { title }] of SCENES.entries()) {
      const joined = [title, (await target.query(JOINED(n))).rows];
      expect(joined).toEqual([title, (await source.query(JOINED(n))).rows]);
    }
  });

  inRelease('keeps the joins of keys with any spellings of their values', async () => {
    // All scenes of a sample are tables of one job, because a job costs more than a table.
    const sample = fc.array(scene, { minLength: 30, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sample, async (scenes) => {
        await databases(TYPES + scenes.map(sceneSql).join(''));
        const tables = Object.fromEntries(
          scenes.flatMap(({ rule }, n) => [
            [`k${n}`, { k: rule }],
            [`r${n}`, {}],
          ]),
        );
        expect((await run(tables)).failure).toBeUndefined();
        for (const n of scenes.keys())
          expect((await target.query(JOINED(n))).rows).toEqual((await source.query(JOINED(n))).rows);
        await harness.dropAll();
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  it('keeps joins, and never repeats an original in any spelling, with a rule that sets differs', async () => {
    await databases(`
      CREATE TABLE usr (email text COLLATE ci PRIMARY KEY, n int);
      CREATE TABLE login (id int PRIMARY KEY, email text COLLATE ci REFERENCES usr);
      INSERT INTO usr SELECT 'w' || i, i FROM generate_series(0, 29) i;
      INSERT INTO login SELECT i, (CASE i % 2 WHEN 0 THEN 'W' ELSE 'w' END) || i % 30 FROM generate_series(0, 99) i;
    `);
    const values = numbers(40, (i) => (i % 2 === 0 ? 'W' : 'w') + String(i));
    expect(
      (await run({ usr: { email: list(values, { differs: true }) }, login: {} })).failure,
    ).toBeUndefined();
    await expectSameJoins('SELECT id, n FROM login JOIN usr USING (email) ORDER BY id');
    const { rows } = await target.query(`SELECT count(*)::int AS n FROM usr WHERE email = 'w' || n`);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('follows chains, two parents of one column, composite keys and references within a table', async () => {
    await databases(`
      CREATE TABLE a (k text COLLATE ci PRIMARY KEY, n int);
      CREATE TABLE a2 (k text COLLATE ci PRIMARY KEY, n int);
      CREATE TABLE b (k text COLLATE ci PRIMARY KEY REFERENCES a REFERENCES a2, n int);
      CREATE TABLE c (k text COLLATE ci REFERENCES b, n int PRIMARY KEY);
      CREATE TABLE p (x text COLLATE ci, y interval, n int, boss_x text COLLATE ci, boss_y interval,
        PRIMARY KEY (x, y), FOREIGN KEY (boss_x, boss_y) REFERENCES p);
      CREATE TABLE q (x text COLLATE ci, y interval, n int PRIMARY KEY, FOREIGN KEY (x, y) REFERENCES p);
      INSERT INTO a SELECT 'k' || i || 'a', i FROM generate_series(1, 15) i;
      INSERT INTO a2 SELECT 'K' || i || 'a', i FROM generate_series(1, 15) i;
      INSERT INTO b SELECT 'k' || i || 'A', i FROM generate_series(1, 15) i;
      INSERT INTO c SELECT 'K' || (1 + i % 15) || 'A', i FROM generate_series(1, 60) i;
      INSERT INTO p SELECT (CASE i % 2 WHEN 0 THEN 'x' ELSE 'X' END) || i / 2, make_interval(days => 1 + i % 2), i FROM generate_series(0, 9) i;
      UPDATE p SET boss_x = upper(x), boss_y = '24 hours' WHERE n > 3;
      INSERT INTO q SELECT 'x' || i % 10 / 2, make_interval(hours => 24 * (1 + i % 2)), i FROM generate_series(0, 39) i;
      INSERT INTO q VALUES ('X1', NULL, 99), (NULL, '24:00', 98);
    `);
    const rules = {
      ...{ a: { k: texts(15) }, a2: { k: texts(15) }, b: {}, c: {}, q: {} },
      p: { x: texts(5), y: list(['5 days', '6 days']) },
    };
    expect((await run(rules)).failure).toBeUndefined();
    await expectSameJoins(`SELECT c.n AS c, b.n AS b, a.n AS a, a2.n AS a2
      FROM c LEFT JOIN b USING (k) LEFT JOIN a USING (k) LEFT JOIN a2 USING (k) ORDER BY 1, 2, 3, 4`);
    await expectSameJoins('SELECT q.n AS q, p.n AS p FROM q LEFT JOIN p USING (x, y) ORDER BY 1, 2');
    await expectSameJoins('SELECT q.n AS q, p.n AS p FROM q LEFT JOIN p USING (x) ORDER BY 1, 2');
    await expectSameJoins(
      'SELECT p.n AS p, boss.n AS boss FROM p LEFT JOIN p AS boss ON (boss.x, boss.y) = (p.boss_x, p.boss_y) ORDER BY 1, 2',
    );
  });

  it('gives two different keys different values, even if JavaScript folds them to one text', async () => {
    const onC = await harness.database(
      `CREATE EXTENSION citext; CREATE TABLE k (k citext PRIMARY KEY, n int);`,
    );
    const { rows } = await onC.query(`SELECT lower('É') <> 'é' AS distinct_on_c`);
    const isFolded = rows[0]?.['distinct_on_c'] === false;
    await databases(`
      CREATE TABLE k (k citext PRIMARY KEY, n int);
      CREATE TABLE r (id int PRIMARY KEY, k citext REFERENCES k);
      INSERT INTO k VALUES ('İa', 1), ('i\u0307a', 2), ('K', 3), ('plain', 4) ON CONFLICT DO NOTHING;
      ${isFolded ? '' : `INSERT INTO k VALUES ('É', 5), ('é', 6);`}
      INSERT INTO r SELECT n * 2, k FROM k UNION ALL SELECT n * 2 + 1, upper(k::text COLLATE "C")::citext FROM k;
    `);
    const { rows: keys } = await source.query('SELECT k FROM k');
    expect((await run({ k: { k: texts(keys.length) }, r: {} })).failure).toBeUndefined();
    await expectSameJoins('SELECT id, n FROM r JOIN k USING (k) ORDER BY id');
  });

  it('gives references to missing rows values that no key has', async () => {
    await databases(`
      CREATE TABLE k (k int PRIMARY KEY, n int);
      CREATE TABLE r (id int PRIMARY KEY, k int);
      CREATE TABLE ck (k text COLLATE ci PRIMARY KEY, n int);
      CREATE TABLE cr (id int PRIMARY KEY, k text COLLATE ci);
      INSERT INTO k SELECT i, i FROM generate_series(1, 30) i;
      INSERT INTO r SELECT i, i FROM generate_series(1, 40) i;
      INSERT INTO ck SELECT 'k' || i, i FROM generate_series(1, 30) i;
      INSERT INTO cr SELECT i, 'K' || i FROM generate_series(1, 40) i;
      ALTER TABLE r ADD FOREIGN KEY (k) REFERENCES k NOT VALID;
      ALTER TABLE cr ADD FOREIGN KEY (k) REFERENCES ck NOT VALID;
    `);
    const digits = { type: 'svc', algorithm: 'int_between', params: { min: 1000, max: 1039 } };
    const outcome = await run({ k: { k: digits }, r: {}, ck: { k: texts(40) }, cr: {} });
    expect(outcome.failure).toBeUndefined();
    await expectSameJoins('SELECT id, n FROM r LEFT JOIN k USING (k) ORDER BY id');
    await expectSameJoins('SELECT id, n FROM cr LEFT JOIN ck USING (k) ORDER BY id');
  });

  it('gives a key the value that a consistent rule gives to its text, and its references the same', async () => {
    await databases(`
      CREATE TABLE k (k text COLLATE ci PRIMARY KEY, copy text);
      CREATE TABLE r (id int PRIMARY KEY, k text COLLATE ci REFERENCES k);
      INSERT INTO k SELECT 'k' || i, 'k' || i FROM generate_series(1, 30) i;
      INSERT INTO r SELECT i, 'K' || i FROM generate_series(1, 30) i;
    `);
    const rule = texts(500, { consistent: true });
    expect((await run({ k: { k: rule, copy: rule }, r: {} })).failure).toBeUndefined();
    await expectSameJoins('SELECT r.id FROM r JOIN k USING (k) WHERE k.k = k.copy ORDER BY id');
  });

  it.each<[string, string, Rules]>([
    [
      'two columns compare values by different collations',
      `CREATE TABLE k (k text COLLATE ci PRIMARY KEY);
       CREATE TABLE m (k text COLLATE base_letters PRIMARY KEY REFERENCES k);
       CREATE TABLE r (k text REFERENCES m)`,
      texts(9),
    ],
    [
      'the key has an operator class of its own',
      `CREATE FUNCTION same(text, text) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT length($1) = length($2)';
       CREATE FUNCTION less(text, text) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT length($1) < length($2)';
       CREATE FUNCTION compared(text, text) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT length($1) - length($2)';
       CREATE OPERATOR === (leftarg = text, rightarg = text, function = same, commutator = ===);
       CREATE OPERATOR <<< (leftarg = text, rightarg = text, function = less);
       CREATE OPERATOR CLASS by_length FOR TYPE text USING btree AS OPERATOR 1 <<<, OPERATOR 3 ===, FUNCTION 1 compared(text, text);
       CREATE TABLE k (k text); CREATE UNIQUE INDEX ON k (k by_length);
       CREATE TABLE r (k text REFERENCES k (k))`,
      texts(9),
    ],
    [
      'rows of the key are equal for its collation but not for its index',
      `CREATE TABLE k (k text COLLATE ci); CREATE UNIQUE INDEX ON k (k COLLATE "C");
       CREATE TABLE r (k text COLLATE ci REFERENCES k (k)); INSERT INTO k VALUES ('a'), ('A')`,
      UUID,
    ],
  ])('refuses a rule before any row is copied if %s', async (_, schema, rule) => {
    await databases(schema);
    const tables: Record<string, Rules> = schema.includes('TABLE m')
      ? { k: { k: rule }, m: {}, r: {} }
      : { k: { k: rule }, r: {} };
    const { failure } = await run(tables);
    expect(failure).toEqual({ code: 'key_equality_unsupported', tableIndex: 0, columnIndex: 0 });
  });

  describe('that are unique', () => {
    it('get values that an index with a loose collation accepts', async () => {
      await databases(`
        CREATE TABLE acct (id int PRIMARY KEY, handle text COLLATE ci UNIQUE, handle2 text, plain varchar(9) COLLATE base_letters,
          asked text COLLATE ci, pair text, kind text, name citext UNIQUE);
        CREATE UNIQUE INDEX ON acct (handle2 COLLATE ci);
        CREATE UNIQUE INDEX ON acct (kind, pair COLLATE ci);
        CREATE UNIQUE INDEX ON acct (plain) WHERE plain IS NOT NULL;
        INSERT INTO acct SELECT i, 'h' || i, 'k' || i, 'p' || i, 'a' || i, 'x' || i, 'y' || i % 3, 'n' || i FROM generate_series(1, 3000) i;
      `);
      const nanoid = { type: 'svc', algorithm: 'nanoid', params: { length: 3 } };
      const accents = numbers(4000, (i) => `${['e', 'é', 'E', 'É'][i % 4] ?? ''}-${i >> 1}`);
      const sigmas = numbers(
        8000,
        (i) => `${['οσ', 'ος', 'ΟΣ', 'Οσ'][i % 4] ?? ''}${i >> 1}${i % 4 === 1 ? 'ος' : 'οσ'}`,
      );
      const outcome = await run({
        acct: {
          ...{ handle: nanoid, handle2: nanoid, asked: { ...nanoid, unique: true } },
          ...{ plain: list(accents.flatMap((text) => [text, `z${text}`])), name: list(sigmas) },
          ...{ pair: list(numbers(6000, (i) => (i % 2 === 0 ? 'v' : 'V') + String(i >> 1))) },
        },
      });
      expect(outcome.failure).toBeUndefined();
      const { rows } = await target.query(
        'SELECT count(DISTINCT asked)::int AS asked, count(*)::int AS rows FROM acct',
      );
      expect(rows).toEqual([{ asked: 3000, rows: 3000 }]);
    });

    it('get different values from a consistent rule, also under a loose collation or as citext', async () => {
      await databases(`
        CREATE TABLE t (id int PRIMARY KEY, handle text COLLATE ci UNIQUE, name citext UNIQUE);
        INSERT INTO t SELECT i, 'H' || i, 'N' || i FROM generate_series(1, 300) i;
      `);
      const values = numbers(3000, (i) => (i % 2 === 0 ? 'v' : 'V') + String(i >> 1));
      const rule = list(values, { consistent: true });
      expect((await run({ t: { handle: rule, name: rule } })).failure).toBeUndefined();
    });

    it('are blamed on the rule if the rule breaks a constraint that the agent cannot check beforehand', async () => {
      await databases(`
        CREATE TABLE a (id int PRIMARY KEY, email text, norm text GENERATED ALWAYS AS (lower(btrim(email))) STORED UNIQUE);
        CREATE TABLE s (span interval PRIMARY KEY);
        INSERT INTO a (id, email) SELECT i, 'P' || i || '@corp.example ' FROM generate_series(1, 50) i;
        INSERT INTO s VALUES ('1 day'), ('2 days');
      `);
      const blamed = { code: 'constraint_broken_by_rule', constraintKind: 'unique', side: 'target' };
      const same = await run({ a: { email: list(['a', ' a', 'A', 'b']) } });
      expect(same.failure).toMatchObject({ ...blamed, tableIndex: 0 });
      const spans = await run({ s: { span: list(['1 day', '24 hours']) } });
      expect(spans.failure).toMatchObject({ ...blamed, tableIndex: 0 });
    });
  });
});
