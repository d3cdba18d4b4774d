import { rowsOf, SyncHarness } from '../sync-harness.js';
import type { PolicyColumn, PolicyTable } from '../../../src/policy.js';

const EMAIL = { generator: 'template', pattern: '{{uuid}}@example.com' };
const NAME = { generator: 'en_US/first_names' };

const SCHEMA = `
  CREATE DOMAIN document AS jsonb CHECK (jsonb_typeof(value) = 'object');
  CREATE TABLE people (id int PRIMARY KEY, email text, code char(20), profile jsonb, raw json, doc document, note text);
  CREATE TABLE orders (id int, buyer varchar(60), about jsonb);
`;
const ROWS = `
  INSERT INTO people SELECT i, 'p' || i % 10 || '@x.org', 'p' || i % 10 || '@x.org',
    jsonb_build_object('contact', jsonb_build_object('email', 'p' || i % 10 || '@x.org', 'tel', 12345678901234567890.10),
      'friends', jsonb_build_array(jsonb_build_object('name', 'Zaphod'), jsonb_build_object('name', null), 7)),
    '{ "name":"Zaphod",  "name" : "Trillian", "n":1.500e10, "é\\t":"\\\\\\u00e9" }'::json,
    jsonb_build_object('name', 'Zaphod'), 'kept'
    FROM generate_series(1, 30) i;
  INSERT INTO people (id, email, profile, raw) VALUES (31, NULL, NULL, NULL), (32, '', 'null', 'null'), (33, NULL, '[]', '5'),
    (34, NULL, '{"contact": null}', '{"name":null}'), (35, NULL, '{"contact": "text"}', '{"name":{"first":"Zaphod"}}');
  INSERT INTO orders SELECT i, 'p' || i % 10 || '@x.org', jsonb_build_object('for', 'p' || i % 10 || '@x.org')
    FROM generate_series(1, 40) i;
`;

describe('a sync job with rules', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it('masks values in json and jsonb by path, and leaves the rest of each document unchanged', async () => {
    const source = await harness.database(SCHEMA + ROWS);
    const target = await harness.database(SCHEMA);
    const outcome = await harness.run(
      harness.command(source.url, target.url, {
        people: {
          profile: { json: { 'contact.email': EMAIL, 'friends[*].name': NAME } },
          raw: { json: { name: NAME } },
          doc: { json: { name: NAME } },
        },
      }),
    );
    expect(outcome.failure).toBeUndefined();
    const everything = (await rowsOf(target, 'people')).join('\n');
    expect(everything).not.toMatch(/Zaphod|Trillian/);
    // If every masked value is replaced by one word, both sides are equal: types, order, spacing and digits.
    const plain = `SELECT id, email, note, profile IS NULL AS no_profile,
        regexp_replace(profile::text, '"(email|name)": "[^"]*"', '"\\1": X', 'g') AS profile,
        regexp_replace(raw::text, '"(name)" ?: ?("[^"]*"|\\{"first":"[^"]*"\\})', '"\\1": X', 'g') AS raw,
        regexp_replace(doc::text, '"(name)": "[^"]*"', '"\\1": X', 'g') AS doc
      FROM people ORDER BY id`;
    expect((await target.query(plain)).rows).toEqual((await source.query(plain)).rows);
    const { rows } = await target.query(
      "SELECT count(DISTINCT profile #>> '{contact,email}')::int AS emails FROM people WHERE id <= 30",
    );
    expect(rows).toEqual([{ emails: 30 }]);
  });

  it('keeps its values and warns if its rules are from a version that accepted more', async () => {
    const source = await harness.database(
      `${SCHEMA}; INSERT INTO people (id, note, doc) VALUES (1, 'old', '{"name(s)": "old", "a": "old"}')`,
    );
    const target = await harness.database(SCHEMA);
    const year = { generator: { computed: "date_format('2026-01-02', 'yyyy')" } };
    const rules = { doc: { json: { 'name(s)': NAME, '$.a': NAME } }, note: year };
    const { completed, failure } = await harness.run(
      harness.command(source.url, target.url, { people: rules }),
    );
    expect(failure).toBeUndefined();
    expect(completed?.warnings).toEqual(
      [0, 1].map((columnIndex) => ({ code: 'rule_outdated', tableIndex: 0, columnIndex })),
    );
    const { rows } = await target.query(
      `SELECT note, doc ->> 'a' AS a, doc ->> 'name(s)' = 'old' AS "isOld" FROM people`,
    );
    expect(rows).toEqual([{ note: 'yyyy', a: 'old', isOld: false }]);
  });

  it('gives the same new value for the same original in columns, documents, tables and jobs', async () => {
    const source = await harness.database(SCHEMA + ROWS);
    const rule = { ...EMAIL, consistent: true };
    const tables = {
      people: {
        email: rule,
        code: rule,
        profile: { json: { 'contact.email': rule } },
      },
      orders: { buyer: rule, about: { json: { for: rule } } },
    };
    const pairs: unknown[] = [];
    for (const seed of [1, 2]) {
      const target = await harness.database(SCHEMA);
      const command = harness.command(source.url, target.url, tables, { seed });
      expect((await harness.run(command)).failure).toBeUndefined();
      const { rows } = await target.query(
        `SELECT DISTINCT id % 10 AS old, email AS new FROM people WHERE id <= 30
         UNION SELECT id % 10, profile #>> '{contact,email}' FROM people WHERE id <= 30
         UNION SELECT id % 10, buyer FROM orders UNION SELECT id % 10, about ->> 'for' FROM orders ORDER BY 1`,
      );
      expect(rows).toHaveLength(10);
      expect(new Set(rows.map((row) => row['new'])).size).toBe(10);
      pairs.push(rows);
      const kept = await target.query('SELECT count(*)::int AS n FROM people WHERE email IS NULL');
      expect(kept.rows).toEqual([{ n: 4 }]);
      // The value is cut to the column's length, and not generated for this length.
      const cut = await target.query(
        'SELECT DISTINCT code = left(email, 20) AS same FROM people WHERE id <= 30',
      );
      expect(cut.rows).toEqual([{ same: true }]);
    }
    expect(pairs[1]).toEqual(pairs[0]);
  });

  it('refuses json paths on a column of another type or on a column that the policy protects', async () => {
    const source = await harness.database(SCHEMA + ROWS);
    const target = await harness.database(SCHEMA);
    const rule = { json: { name: NAME } };
    const onText = harness.command(source.url, target.url, { people: { raw: rule, note: rule } });
    expect((await harness.run(onText)).failure).toEqual({
      code: 'json_paths_refused',
      tableIndex: 0,
      columnIndex: 1,
    });
    const { policy } = harness.environment();
    const strict = {
      ...policy,
      refusesPreserve: (_: PolicyTable, column: PolicyColumn) => column.name === 'raw',
    };
    const onRaw = harness.command(source.url, target.url, { people: { raw: rule } });
    expect((await harness.run(onRaw, { policy: strict })).failure).toEqual({
      code: 'policy_denied',
      tableIndex: 0,
      columnIndex: 0,
    });
    expect(await rowsOf(target, 'people')).toEqual([]);
  });

  it('fails for a document that is too large, names the column, and leaves the target unchanged', async () => {
    const source = await harness.database(SCHEMA);
    await source.query(
      `INSERT INTO people (id, raw) VALUES (1, ('{"name":"' || repeat('x', 100000000) || '"}')::json)`,
    );
    const target = await harness.database(SCHEMA + ROWS);
    const before = await rowsOf(target, 'people');
    const command = harness.command(source.url, target.url, {
      people: { email: EMAIL, raw: { json: { name: NAME } } },
    });
    expect((await harness.run(command)).failure).toEqual({
      code: 'value_invalid',
      tableIndex: 0,
      columnIndex: 1,
    });
    expect(await rowsOf(target, 'people')).toEqual(before);
  });
});
