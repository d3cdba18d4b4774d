import {
  casesOf,
  createTestDatabase,
  inBoth,
  it,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InitResult } from '../../src/init/output/init-result.js';
import { Workbench } from '../run-cli.js';
import { HARD_SCHEMA } from './hard-schema.js';

describe('understudy init', () => {
  const bench = new Workbench();
  let services: TestServices;
  let source: TestDatabase;
  let readerUrl: string;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    source = await createTestDatabase(services.postgresUrl, HARD_SCHEMA);
    await source.query(`CREATE ROLE reader LOGIN PASSWORD 'can/ary'; GRANT USAGE ON SCHEMA "Odd Schema" TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA public, "Odd Schema" TO reader; REVOKE ALL ON secret_table FROM reader`);
    const url = new URL(source.url);
    url.username = 'reader';
    url.password = '';
    readerUrl = url.href;
  });
  afterAll(async () => {
    await source.drop();
    await services.stop();
    bench.remove();
  });

  const environment = { PGPASSWORD: 'can/ary' };
  const init = (...args: string[]) => bench.run(['init', ...args], '', environment);

  it('detects every kind of personal column, proposes rules that fit, and lists the columns to decide', async () => {
    const { code, out, err } = await init(readerUrl, '--out', 'hard.jsonc', '--json');
    expect([code, err]).toEqual([0, '']);
    const result = JSON.parse(out) as InitResult;
    const found = Object.fromEntries(
      result.rules.map(({ table, column, what }) => [`${table}.${column}`, what]),
    );
    expect(found).toEqual({
      'accounts.email': 'e-mail addresses',
      'accounts.login': 'user names',
      'accounts.first': 'first names',
      'accounts.phone': 'phone numbers',
      'accounts.mobile': 'phone numbers',
      'accounts.password_hash': 'passwords, tokens or keys',
      'accounts.birth_date': 'dates of birth',
      'accounts.plz': 'postcodes',
      'accounts.iban': 'bank accounts',
      'accounts.card_number': 'payment card numbers',
      'accounts.ssn': 'national identity numbers',
      'accounts.last_ip': 'IP addresses',
      'accounts.wifi_mac': 'MAC addresses',
      'accounts.lat': 'coordinates',
      'accounts.photo': 'pictures of persons',
      'accounts.gender': 'genders',
      'accounts.emails': 'e-mail addresses',
      'accounts.search': 'a search index',
      'accounts.notes': 'free text',
      'accounts.profile': 'phone numbers, e-mail addresses',
      'logins.account': 'e-mail addresses',
      'logins.client_ip': 'IP addresses',
      'persons.surname': 'last names',
      '"Odd Schema"."Contact ""List""".E-Mail': 'e-mail addresses',
      '"Odd Schema"."Contact ""List""".Full\nName': 'names of persons',
    });
    expect(result.to_decide.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'persons.birth_date',
      'stubborn.email',
    ]);
    expect(result.unreadable.map(({ name }) => name)).toEqual(['guarded', 'secret_table']);
    expect(result.rules.find(({ column }) => column === 'profile')?.rule).toEqual({
      json: { 'contact.email': expect.anything(), 'phones[*].number': expect.anything() },
    });
  });

  it('writes a job file that runs without changes and contains neither a password nor a value', async () => {
    const text = readFileSync(join(bench.folder, 'hard.jsonc'), 'utf8');
    expect(text).toContain(':${PGPASSWORD}@');
    expect(text).toContain('"unlisted_columns": "reject"');
    expect(text).not.toMatch(/can.{0,3}ary|mail\.example|Schmidt|1111 1111|93\.184|3c:22/);
    const target = await createTestDatabase(services.postgresUrl);
    try {
      const run = ['sync', 'hard.jsonc', '--pg-bin-dir', services.postgresBinFolder];
      const done = await bench.run(run, '', { ...environment, TARGET_URL: target.url });
      // The target lacks the extension whose functions the columns use.
      expect([done.code, done.err]).toEqual([
        0,
        'warning: creates on the target code of the source: table public.accounts, extension citext, index public.accounts_pkey, table public.logins, table constraint logins_account_fkey on public.logins\n',
      ]);
      const orphans =
        'SELECT count(*)::int AS n FROM logins l LEFT JOIN accounts a ON a.email = l.account WHERE a.email IS NULL';
      expect((await target.query(orphans)).rows).toEqual([{ n: 0 }]);
      const joined = `SELECT l.id, row_number() OVER (ORDER BY a.n)::int AS nth FROM logins l JOIN accounts a ON a.email = l.account ORDER BY 1`;
      expect((await target.query(joined)).rows).toEqual((await source.query(joined)).rows);
      const kept = `SELECT count(*)::int AS n FROM accounts WHERE email LIKE '%mail.example' OR profile::text LIKE '%mail.example%' OR emails::text LIKE '%mail.example%'`;
      expect((await target.query(kept)).rows).toEqual([{ n: 0 }]);
    } finally {
      await target.drop();
    }
  });

  it('prints rows before and after masking, without control characters', async () => {
    await source.query(`UPDATE accounts SET notes = E'call \\x1b[31m her please now' WHERE n = 1`);
    const { code, out } = await init(
      readerUrl,
      '--out',
      'shown.jsonc',
      '--tables',
      'accounts,log*',
      '--exclude',
      'logins',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/before +anna\.\d+@mail\.example/);
    expect(out).toMatch(/after +\S+\d{4}@ex/);
    expect(out).not.toContain('\u001b');
    expect(out).toContain('Columns without a rule, copied unchanged');
    expect(out).not.toContain('logins');
  });

  it('replaces an existing file only with --force, also if no column looks personal', async () => {
    writeFileSync(join(bench.folder, 'mine.jsonc'), 'mine');
    const refused = await init(readerUrl, '--out', 'mine.jsonc');
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('the file already exists')]);
    expect(statSync(join(bench.folder, 'mine.jsonc')).size).toBe(4);
    const { code, out } = await init(readerUrl, '--out', 'mine.jsonc', '--force', '--tables', 'nothing');
    expect(code).toBe(0);
    expect(out).toContain('No column of 1 table looks personal');
    expect(readFileSync(join(bench.folder, 'mine.jsonc'), 'utf8')).toContain('"name": "nothing"');
  });

  it.each([
    [[], 2, 'expected the URL of a database'],
    [['mysql://u@h/d'], 2, 'postgresql://'],
    [
      ['postgresql://u:canary@127.0.0.1:1/d'],
      5,
      'postgresql://u:***@127.0.0.1:1/d: cannot connect (ECONNREFUSED)',
    ],
    [['URL', '--tables', 'no_such*'], 4, 'no table matches the options'],
    [
      ['URL', '--schema', 'public,nope', '--tables', 'accounts,no_such', '--exclude', 'logi,*_log,public.x'],
      4,
      'no table matches "nope" (--schema), "no_such" (--tables), "logi" (--exclude), "public.x" (--exclude), so no file was written',
    ],
    [['URL', '--tables', 'secret_table'], 5, 'SELECT'],
    [['URL', '--locale', 'xx_XX'], 2, 'Expected one of'],
    [['URL', '--sample', '0'], 2, 'whole number'],
    [['URL', '--out', 'no/such/folder.jsonc'], 3, 'no such file'],
  ])('with arguments %j exits with %d and reports the reason', async (args, code, text) => {
    const result = await init('--no-preview', ...args.map((arg) => (arg === 'URL' ? readerUrl : arg)));
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(text)]);
    expect(result.err).not.toMatch(/canary|can\/ary/);
  });

  inBoth.each(casesOf([1_000, 5_000], 1))('inspects %i tables in bounded time and memory', async (count) => {
    const many = await createTestDatabase(services.postgresUrl, manyTables(count));
    try {
      // For 5,000 tables, this limit is less than ten times the size of their names and columns.
      const { code, out, err } = await bench.run(['init', many.url, '--out', 'many.jsonc', '--json'], '', {
        NODE_OPTIONS: '--max-old-space-size=160',
      });
      expect([code, err]).toEqual([0, '']);
      const result = JSON.parse(out) as InitResult;
      expect([result.tables, result.columns, result.rules.length]).toEqual([count, 3 * count, count]);
      expect(result.not_read).toEqual([]);
    } finally {
      await many.drop();
    }
  });
});

// The block commits every 500 tables, because one transaction for all tables needs more locks than a server has.
const manyTables = (count: number): string => `
DO $$ BEGIN
  FOR i IN 1..${count} LOOP
    EXECUTE format('CREATE TABLE t_%s (id int, email text, amount int)', i);
    IF i % 500 = 0 THEN COMMIT; END IF;
  END LOOP;
END $$`;
