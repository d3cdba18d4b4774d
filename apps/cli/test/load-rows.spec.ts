import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
  waitFor,
} from '@understudy/testing';

import { Workbench } from './run-cli.js';

const run = promisify(execFile);

const AWKWARD = [
  "it's",
  'say "x"',
  'back\\slash \\n \\. \\',
  'tab\there',
  'line\nfeed\r\n',
  'é 😀',
  '',
  '\\N',
  'NULL',
  ' ',
];
const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence' },
    text: { type: 'list', values: AWKWARD, nullable: 0.1 },
    mixed: { type: 'list', values: [1.5, -0, 1e21, true, 'x'], nullable: 0.1 },
    data: { type: 'list', values: [{ k: AWKWARD }, [], [1, { "it's": '\\' }]] },
    Upper: { type: 'svc', algorithm: 'int_between', params: { min: -9, max: 9 } },
  },
  output: ['id', 'text', 'mixed', 'data', 'Upper'],
};
const TABLE = (name: string) =>
  `CREATE TABLE ${name} (id bigint PRIMARY KEY, text text, mixed text, data jsonb, "Upper" int, later text DEFAULT 'd')`;
const COUNT = 1200;

const bench = new Workbench();
let services: TestServices;
let database: TestDatabase;

beforeAll(async () => {
  services = await startTestServices({ postgres: true });
  database = await createTestDatabase(services.postgresUrl);
  bench.write('rows.json', JSON.stringify(SCHEMA));
  await database.query(['by_sql', 'by_sql_off', 'by_copy', 'by_csv', '"By ""Into"""'].map(TABLE).join(';'));
});
afterAll(async () => {
  await database.drop();
  await services.stop();
  bench.remove();
});

const generate = (args: readonly string[], environment: Record<string, string> = {}, file = 'rows.json') =>
  bench.run(['generate', file, '--seed', '5', ...args], '', environment);
const into = (table: string, ...args: string[]) =>
  generate(['--count', String(COUNT), '--into', database.url, '--table', table, ...args]);
const psql = (...args: string[]) =>
  run(
    join(services.postgresBinFolder, 'psql'),
    ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', database.url, ...args],
    {
      cwd: bench.folder,
    },
  );
const rowsOf = async (table: string) =>
  (await database.query(`SELECT id::int, text, mixed, data, "Upper" FROM ${table} ORDER BY id`)).rows;

describe('the output of understudy generate', () => {
  it('gives the same values as the JSON if PostgreSQL loads any other format', async () => {
    const count = ['--count', String(COUNT)];
    const made = await Promise.all([
      generate(count),
      generate([...count, '--format', 'sql', '--table', 'by_sql', '--out', 'rows.sql']),
      generate([...count, '--format', 'copy', '--table', 'by_copy', '--out', 'rows.copy']),
      generate([...count, '--format', 'csv', '--rows-only', '--out', 'rows.csv']),
      into('"By ""Into"""', '--json', '--threads', '3'),
    ]);
    expect(made.map(({ code, err }) => [code, err])).toEqual(made.map(() => [0, '']));
    const report: unknown = JSON.parse(made[4].out);
    expect(report).toMatchObject({ table: '"By ""Into"""', rows: COUNT, from: 0, to: COUNT, seed: 5 });

    bench.write(
      'off.sql',
      readFileSync(join(bench.folder, 'rows.sql'), 'utf8').replaceAll('"by_sql"', '"by_sql_off"'),
    );
    await Promise.all([
      psql('-f', 'rows.sql'),
      psql('-c', 'SET standard_conforming_strings = off; SET escape_string_warning = off', '-f', 'off.sql'),
      psql('-f', 'rows.copy'),
      psql('-c', `\\copy by_csv (id, text, mixed, data, "Upper") FROM 'rows.csv' CSV`),
    ]);
    const records = JSON.parse(made[0].out) as Record<string, unknown>[];
    const asText = (value: unknown): unknown =>
      value === null || typeof value === 'string' ? value : String(value);
    const expected = records.map((record) => ({ ...record, mixed: asText(record['mixed']) }));
    expect(expected).toHaveLength(COUNT);
    for (const table of ['by_copy', '"By ""Into"""', 'by_csv']) expect(await rowsOf(table)).toEqual(expected);
    // SQL contains numbers without quotes, so the server converts them to text in its own notation.
    const numeric = expected.map((row) =>
      row.mixed === '1e+21' ? { ...row, mixed: '1000000000000000000000' } : row,
    );
    for (const table of ['by_sql', 'by_sql_off']) expect(await rowsOf(table)).toEqual(numeric);
  });
});

describe('understudy generate --into', () => {
  const small = JSON.stringify({
    generators: { id: SCHEMA.generators.id, secret: { type: 'list', values: ['topsecretvalue'] } },
    output: ['id', 'secret'],
  });
  beforeAll(async () => {
    bench.write('small.json', small);
    await database.query(`
      CREATE TABLE taken (id bigint PRIMARY KEY, secret text); INSERT INTO taken VALUES (700, 'old');
      CREATE TABLE wrong (id bigint, secret int);
      CREATE TABLE checked (id bigint, secret text CONSTRAINT no_secrets CHECK (secret !~ 'top'));
      CREATE TABLE other (id bigint GENERATED ALWAYS AS (1) STORED, name text NOT NULL);
      CREATE TABLE locked (id bigint, secret text);
      CREATE VIEW shown AS SELECT 1 AS id, 'x' AS secret;
      CREATE ROLE loader LOGIN PASSWORD 'topsecretword'`);
  });
  const load = (table: string, url = database.url, environment: Record<string, string> = {}) =>
    generate(['--count', String(COUNT), '--into', url, '--table', table], environment, 'small.json');

  it.each([
    [
      'taken',
      5,
      /table public\.taken, row 699: a row violates the unique constraint "taken_pkey" \(SQLSTATE 23505\)/,
    ],
    [
      'wrong',
      5,
      /table public\.wrong, column "secret", row 0: a value is invalid for the type of its column \(SQLSTATE 22P02\)/,
    ],
    [
      'checked',
      5,
      /table public\.checked, row 0: a row violates the check constraint "no_secrets" \(SQLSTATE 23514\)/,
    ],
    ['missing', 4, /table public\.missing: there is no such table/],
    ['shown', 4, /table public\.shown: is not a table/],
    ['other', 4, /column "id" is computed.*\n.*has no column "secret"\n.*column "name" \(text\) is NOT NULL/],
  ])(
    'reports why the table %s cannot take the rows, without quoting values, and loads nothing',
    async (table, code, message) => {
      const done = await load(table);
      expect([done.code, done.out]).toEqual([code, '']);
      expect(done.err).toMatch(message);
      expect(done.err).not.toMatch(/topsecret|postgres:|\bat .*\.js/);
      if (table === 'taken') {
        const { rows } = await database.query('SELECT count(*)::int AS n FROM taken');
        expect(rows).toEqual([{ n: 1 }]);
      }
    },
  );

  it('loads arrays into columns with an array type, and JSON into other columns', async () => {
    const values = [[['a "b"', "it's", 'back\\slash', 'tab\t', '', 'NULL', null]], [[]], [['x', 'y']]];
    const generators = {
      texts: { type: 'list', values: values.map(([texts]) => texts) },
      numbers: {
        type: 'list',
        values: [
          [1, -2.5, null],
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
      flags: { type: 'list', values: [[true, false]] },
      docs: { type: 'list', values: [[{ k: ['"\\'] }]] },
      json: { computed: 'texts' },
    };
    bench.write('arrays.json', JSON.stringify({ generators, output: Object.keys(generators) }));
    await database.query(
      'CREATE TABLE arrays (texts text[], numbers numeric[], flags boolean[], docs jsonb[], json jsonb)',
    );
    const args = ['--count', '40', '--into', database.url, '--table', 'arrays'];
    const [made, loaded] = await Promise.all([
      generate(['--count', '40'], {}, 'arrays.json'),
      generate(args, {}, 'arrays.json'),
    ]);
    expect([loaded.code, loaded.err]).toEqual([0, '']);
    const { rows } = await database.query(
      'SELECT to_jsonb(texts) AS texts, to_jsonb(numbers) AS numbers, to_jsonb(flags) AS flags, to_jsonb(docs) AS docs, json FROM arrays',
    );
    expect(rows).toEqual(JSON.parse(made.out));
  });

  it('takes the password from PGPASSWORD and never prints a rejected password', async () => {
    const { host, pathname } = new URL(database.url);
    const url = `postgresql://loader@${host}${pathname}`;
    await database.query('CREATE TABLE own (id bigint, secret text); GRANT INSERT ON own TO loader');
    const [right, wrong, forbidden, nowhere] = await Promise.all([
      load('own', url, { PGPASSWORD: 'topsecretword' }),
      load('own', `postgresql://loader:topsecretguess@${host}${pathname}`),
      load('taken', url, { PGPASSWORD: 'topsecretword' }),
      load('own', `postgresql://loader:topsecretguess@127.0.0.1:1/x`),
    ]);
    expect([right.code, right.err]).toEqual([0, '']);
    expect(right.out).toMatch(/^own: 1,200 rows, /);
    expect(wrong.code).toBe(5);
    expect(wrong.err).toContain('rejected the user or the password');
    expect([forbidden.code, forbidden.err]).toEqual([
      4,
      'understudy: table public.taken: the user has no permission to insert into this table\n',
    ]);
    expect([nowhere.code, nowhere.err]).toEqual([
      5,
      expect.stringContaining('cannot connect (ECONNREFUSED)'),
    ]);
    for (const { err } of [wrong, forbidden, nowhere]) expect(err).not.toContain('topsecret');
  });

  const sessions = async () =>
    (
      await database.query(
        `SELECT coalesce(wait_event_type, '') AS wait FROM pg_stat_activity WHERE application_name = 'understudy'`,
      )
    ).rows;
  const startEndless = () =>
    bench.start(
      ...['generate', 'small.json', '--count', '1000000000', '--seed', '1'],
      ...['--into', database.url, '--table', 'locked'],
    );

  it('ends on Ctrl-C while another session keeps the table locked', async () => {
    const held = `SELECT pid FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND wait_event = 'PgSleep'`;
    const holder = psql('-c', 'BEGIN; LOCK TABLE locked; SELECT pg_sleep(60)').catch(() => undefined);
    await waitFor('the lock', async () => (await database.query(held)).rows.length === 1);
    const child = startEndless();
    await waitFor(
      'a session that waits for the lock',
      async () => (await sessions())[0]?.['wait'] === 'Lock',
    );
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(await sessions()).toEqual([]);
    await database.query(`SELECT pg_terminate_backend(pid) FROM (${held}) AS holder`);
    await holder;
  });

  it('leaves the table unchanged and no open session after Ctrl-C', async () => {
    const child = startEndless();
    await waitFor('rows to be copied', async () => {
      const { rows } = await database.query(`SELECT tuples_processed::int AS n FROM pg_stat_progress_copy`);
      return Number(rows[0]?.['n'] ?? 0) > 1000;
    });
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    await waitFor('its session to end', async () => (await sessions()).length === 0);
    expect((await database.query('SELECT count(*)::int AS n FROM locked')).rows).toEqual([{ n: 0 }]);
  });
});
