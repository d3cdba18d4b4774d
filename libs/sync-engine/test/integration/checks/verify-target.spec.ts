import type { TestDatabase } from '@understudy/testing';
import fc from 'fast-check';
import type { SyncJobCommand } from '@understudy/sync-job';
import type { TargetCheck } from '../../../src/checks/verify-target/target-check.js';
import type { TargetVerificationRequest } from '../../../src/checks/verify-target/target-verification.js';
import { verifyTarget } from '../../../src/checks/verify-target/verify-target.js';
import { SyncHarness } from '../sync-harness.js';

const ROWS = 40;
const SOURCE = `
  CREATE TABLE person (
    id text PRIMARY KEY, name varchar(60), code char(6), born date, score numeric(9, 2), ratio float8, big int8, tags text[], doc jsonb,
    raw json, note text, kept bytea, login text UNIQUE);
  INSERT INTO person SELECT 'p' || n, 'Name ' || n, 'c' || n, date '1980-01-01' + n, n * 1.5, n / 7.0, n, '{a,b}',
    jsonb_build_object('mail', n || '@corp.test', 'list', (SELECT jsonb_agg(i) FROM generate_series(1, 130) i), 'deep', jsonb_build_object('name', 'x' || n)),
    json_build_object('a', json_build_object('b', 'v' || n)), 'note ' || n, decode('00ff', 'hex'), 'login' || n FROM generate_series(1, ${ROWS}) n;
  CREATE TABLE visit (person text REFERENCES person, at timestamptz NOT NULL, page text) PARTITION BY RANGE (at);
  CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM ('2025-01-01') TO ('2025-02-01');
  CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM ('2025-02-01') TO ('2026-01-01');
  INSERT INTO visit SELECT 'p' || n, timestamptz '2025-01-12' + n * interval '1 day', '/' || n FROM generate_series(1, ${ROWS}) n;
  CREATE TABLE plain (id int PRIMARY KEY, label text); INSERT INTO plain VALUES (1, 'one');
`;
const text = (pattern: string, more: object = {}) => ({ generator: 'template', pattern, ...more });
const made = (algorithm: string, params: object) => ({ type: 'svc', algorithm, params });
const RULES = {
  person: {
    id: text('{{uuid}}'),
    name: { generator: 'en_US/full_names' },
    code: made('digits', { digits: 3 }),
    born: made('date_between', { start: '1950-01-01', end: '1999-12-31' }),
    score: made('float_between', { min: 0, max: 100, precision: 1 }),
    ratio: made('float_between', { min: 0, max: 1, precision: 6 }),
    big: made('int_between', { min: 1, max: 1_000_000 }),
    doc: {
      json: { mail: text('{{uuid}}@example.com'), 'deep.name': { generator: 'en_US/first_names' } },
    },
    raw: { json: { 'a.b': text('{{uuid}}') } },
    note: text('{{name}} wrote', { nullable: 0.2 }),
    login: { generator: 'en_US/last_names', unique: true },
  },
  visit: { page: text('/{{uuid}}') },
  plain: {},
};

/** An SQL expression for each column, which returns a value that differs from the current one. */
const CHANGES: Readonly<Record<'person' | 'visit', Readonly<Record<string, string>>>> = {
  person: {
    name: `coalesce(name, '') || 'x'`,
    code: `CASE WHEN code = 'zzz' THEN 'yyy' ELSE 'zzz' END`,
    born: `born + 1`,
    score: `score + 0.1`,
    ratio: `ratio + 1e-9`,
    // PostgreSQL's hash of an int8 combines its two halves and does not detect this change.
    big: `big # 4294967297`,
    doc: `jsonb_set(doc, '{mail}', '"other@example.com"')`,
    raw: `replace(raw::text, '"b"', '"c"')::json`,
    note: `CASE WHEN note IS NULL THEN '' ELSE NULL END`,
    login: `login || 'x'`,
    kept: `kept || kept`,
  },
  visit: { page: `page || '/'`, at: `at + interval '1 microsecond'` },
};

describe('verifyTarget', () => {
  let harness: SyncHarness;
  let source: TestDatabase;
  let target: TestDatabase;
  let command: SyncJobCommand;
  beforeAll(async () => {
    harness = await SyncHarness.start();
    source = await harness.database(SOURCE);
    target = await harness.targetDatabase();
    command = harness.command(source.url, target.url, RULES);
    const { completed, failure } = await harness.run(command);
    expect([completed === undefined, failure]).toEqual([false, undefined]);
  });
  afterAll(() => harness.stop());

  function verify(more: Partial<TargetVerificationRequest> = {}): Promise<readonly TargetCheck[]> {
    return verifyTarget({
      command,
      environment: harness.environment({ copy: { connections: 2, chunkBytes: 8_192 } }),
      copied: new Map([
        [0, ROWS],
        [1, ROWS],
        [2, 1],
      ]),
      run: 'known',
      onProgress: () => undefined,
      signal: new AbortController().signal,
      keepSnapshot: () => () => undefined,
      ...more,
    });
  }

  const recomputed = (checks: readonly TargetCheck[], tableIndex: number) =>
    checks.find((check) => check.kind === 'recomputed_columns' && check.tableIndex === tableIndex);

  /** Changes the target, verifies it, and reverts the change. @returns the checks of the changed target */
  async function changed(change: string, back: string): Promise<readonly TargetCheck[]> {
    await target.query(`SET session_replication_role = replica; ${change}`);
    try {
      return await verify();
    } finally {
      await target.query(`SET session_replication_role = replica; ${back}`);
    }
  }

  it('accepts an unchanged target with many types, json rules, masked keys, unique columns and partitions', async () => {
    const checks = await verify();
    expect(checks.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
    expect(checks.filter(({ kind }) => kind === 'recomputed_columns')).toEqual([
      expect.objectContaining({ tableIndex: 0, columns: Object.keys(RULES.person), isByRowLocation: false }),
      expect.objectContaining({ tableIndex: 1, columns: ['person', 'page'], isByRowLocation: true }),
    ]);
  });

  it('names exactly the columns in which a cell was changed, for every column', async () => {
    await target.query(
      'CREATE SCHEMA kept; CREATE TABLE kept.person AS TABLE person; CREATE TABLE kept.visit AS TABLE visit',
    );
    const cells = (table: 'person' | 'visit') =>
      fc
        .subarray(Object.keys(CHANGES[table]), { minLength: 1 })
        .chain((columns) =>
          fc.tuple(
            ...columns.map((column) => fc.record({ column: fc.constant(column), row: fc.nat(ROWS - 1) })),
          ),
        );
    await fc.assert(
      fc.asyncProperty(cells('person'), cells('visit'), async (person, visit) => {
        const change = (table: 'person' | 'visit', { column, row }: (typeof person)[number]) =>
          `UPDATE ${table} SET ${column} = ${CHANGES[table][column] ?? ''} WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM ${table} ORDER BY tableoid, ctid OFFSET ${row} LIMIT 1)`;
        const checks = await changed(
          [
            ...person.map((cell) => change('person', cell)),
            ...visit.map((cell) => change('visit', cell)),
          ].join('; '),
          'DELETE FROM visit; DELETE FROM person; INSERT INTO person SELECT * FROM kept.person; INSERT INTO visit SELECT * FROM kept.visit',
        );
        const named = (tableIndex: number) => {
          const check = recomputed(checks, tableIndex);
          return check?.kind === 'recomputed_columns' && [check.outcome, [...check.differing].sort()];
        };
        expect(named(0)).toEqual(['fails', person.map(({ column }) => column).sort()]);
        expect(named(1)).toEqual(['fails', visit.map(({ column }) => column).sort()]);
      }),
      { numRuns: 6 },
    );
    await target.query('DROP SCHEMA kept CASCADE');
  });

  it('detects a changed masked key, and two swapped elements of an array', async () => {
    const key = await changed(
      `UPDATE person SET id = 'other' || substr(id, 6) WHERE login = (SELECT min(login) FROM person)`,
      `UPDATE person p SET id = v.person FROM (SELECT person FROM visit EXCEPT SELECT id FROM person) v WHERE p.id LIKE 'other%'`,
    );
    expect(recomputed(key, 0)).toMatchObject({ outcome: 'fails', differing: ['id'] });
    const swap = `UPDATE person SET doc = jsonb_set(jsonb_set(doc, '{list,3}', doc->'list'->67), '{list,67}', doc->'list'->3) WHERE login = (SELECT min(login) FROM person)`;
    expect(recomputed(await changed(swap, swap), 0)).toMatchObject({ outcome: 'fails', differing: ['doc'] });
  });

  it('detects two rows that swapped their values, and names the columns if there is a primary key', async () => {
    const swap = (table: string, column: string, order: string) => `
      WITH two AS (SELECT tableoid AS t, ctid AS c, ${column} AS v, row_number() OVER (ORDER BY ${order}) AS n FROM ${table} WHERE ${column} IS NOT NULL)
      UPDATE ${table} SET ${column} = o.v FROM two s JOIN two o ON o.n = 3 - s.n WHERE s.n <= 2 AND ${table}.tableoid = s.t AND ${table}.ctid = s.c`;
    const named = swap('person', 'name', 'login');
    expect(recomputed(await changed(named, named), 0)).toMatchObject({
      outcome: 'fails',
      differing: ['name'],
    });
    const keyless = swap('visit', 'page', 'at');
    expect(recomputed(await changed(keyless, keyless), 1)).toMatchObject({ outcome: 'fails', differing: [] });
  });

  it('compares values that it cannot recompute with the originals, and reports the reason', async () => {
    for (const run of ['unknown_run', 'changed_rules'] as const) {
      const checks = await verify({ run });
      expect(recomputed(checks, 0)).toMatchObject({ outcome: 'not_comparable', reason: run });
      expect(checks.some(({ outcome }) => outcome === 'fails')).toBe(false);
    }
    const grown = await verify({
      copied: new Map([
        [0, ROWS - 1],
        [1, ROWS],
        [2, 1],
      ]),
    });
    expect(recomputed(grown, 0)).toMatchObject({ outcome: 'not_comparable', reason: 'source_moved' });
    expect(recomputed(grown, 1)).toMatchObject({ outcome: 'holds' });
  });

  it('evaluates the CHECKs of domains with the search path of the target', async () => {
    const words = `
      CREATE FUNCTION only_letters(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT regexp_replace(t, '[^a-z]', '', 'g') $$;
      CREATE FUNCTION squash(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN only_letters(lower(t)); END';
      CREATE DOMAIN word AS text CHECK (squash(VALUE) <> 'zz');
      CREATE TABLE word_list (id int PRIMARY KEY, label word, others word[]);`;
    const from = await harness.database(`${words} INSERT INTO word_list VALUES (1, 'One', '{Two}')`);
    const to = await harness.targetDatabase(words);
    const copied = harness.command(from.url, to.url, { word_list: { label: text('{{uuid}}') } });
    expect((await harness.run(copied)).failure).toBeUndefined();
    const checks = await verify({ command: copied, copied: new Map([[0, 1]]) });
    expect(recomputed(checks, 0)).toMatchObject({ outcome: 'holds', columns: ['label'] });
  });

  it('leaves nothing on the target, and reports if the role may not create temporary tables', async () => {
    const { rows } = await target.query(
      `SELECT count(*)::int AS n FROM pg_class WHERE relname = 'understudy_made'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
    await target.query(`
      CREATE ROLE looker LOGIN PASSWORD 'looker'; GRANT CREATE ON SCHEMA public TO looker;
      DO $$ BEGIN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
        EXECUTE format('GRANT CREATE ON DATABASE %I TO looker', current_database());
      END $$;
      ALTER TABLE person OWNER TO looker; ALTER TABLE visit OWNER TO looker; ALTER TABLE plain OWNER TO looker;
      ALTER TABLE visit_1 OWNER TO looker; ALTER TABLE visit_2 OWNER TO looker`);
    const url = new URL(target.url);
    url.username = 'looker';
    url.password = 'looker';
    const checks = await verify({ command: { ...command, target: { kind: 'url', url: url.href } } });
    expect(recomputed(checks, 0)).toMatchObject({ outcome: 'not_comparable', reason: 'no_temporary_tables' });
    await target.query('REASSIGN OWNED BY looker TO CURRENT_USER; DROP OWNED BY looker; DROP ROLE looker');
  });
});
