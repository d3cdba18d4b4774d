import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, parseConnectionUrl } from '@understudy/postgres';
import type { TestDatabase } from '@understudy/testing';
import { events, SyncBench } from './sync-bench.js';

const run = promisify(execFile);
const DATA = join(import.meta.dirname, '../../../../../shared/data');
const SAMPLES: readonly {
  name: string;
  file: string;
  masked: Readonly<Record<string, readonly string[]>>;
}[] = [
  { name: 'Northwind', file: 'northwind/northwind.sql', masked: { employees: ['last_name', 'first_name'] } },
  { name: 'Chinook', file: 'chinook/Chinook_PostgreSql.sql', masked: { customer: ['last_name', 'email'] } },
];
const SHOP = `
  CREATE TABLE customer (id int PRIMARY KEY, name text);
  CREATE VIEW names AS SELECT name FROM customer;
  CREATE TABLE log (at timestamptz DEFAULT now(), entry text);
  INSERT INTO customer SELECT n, 'canary ' || n FROM generate_series(1, 40000) n; INSERT INTO log (entry) VALUES ('canary');`;

let bench: SyncBench;
beforeAll(async () => {
  bench = await SyncBench.start();
  const admin = await bench.database();
  await admin.query(
    "CREATE ROLE replacing LOGIN CREATEDB PASSWORD 'p'; CREATE ROLE building LOGIN PASSWORD 'p'; GRANT building TO replacing",
  );
});
afterAll(() => bench.stop());

const as = ({ url }: Pick<TestDatabase, 'url'>, role: string) =>
  Object.assign(new URL(url), { username: role, password: 'p' }).href;

/** Writes a job file that replaces the target. @param tables the tables of the file */
function jobFile(
  source: TestDatabase,
  target: Pick<TestDatabase, 'url'>,
  tables: readonly object[],
  more: object = {},
): string {
  const body = {
    source: { connection_string: source.url },
    target: { connection_string: as(target, 'replacing'), build_connection_string: as(target, 'building') },
    ...{ replace: 'database', seed: 7, tables },
    ...more,
  };
  return bench.folder.write(`${source.name}.json`, JSON.stringify(body));
}

async function columnsOf(database: TestDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await database.query(
    "SELECT c.relname AS table, array_agg(a.attname::text) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1",
  );
  return new Map(rows.map((row) => [String(row['table']), row['columns'] as string[]]));
}

async function definitions({ url }: Pick<TestDatabase, 'url'>): Promise<string> {
  const flags = ['--schema-only', '--no-owner', '--no-privileges', `--dbname=${url}`];
  const { stdout } = await run(join(bench.postgresBinFolder, 'pg_dump'), flags, { maxBuffer: 1 << 26 });
  return stdout.replace(/^\\(un)?restrict .*$/gm, '');
}

async function owned(sql?: string): Promise<TestDatabase> {
  const target = await bench.database(sql);
  await target.query(`ALTER DATABASE ${target.name} OWNER TO replacing`);
  return target;
}

describe('understudy sync with "replace": "database"', () => {
  it.each(SAMPLES)('makes a complete masked copy of $name', async ({ file, masked }) => {
    if (!existsSync(join(DATA, file))) return;
    const sql = readFileSync(join(DATA, file), 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
    const source = await bench.database(sql);
    const target = await owned();
    const tables = [...(await columnsOf(source))].map(([name, columns]) => {
      const hidden = masked[name] ?? [];
      if (hidden.length === 0) return { name, rows: 'preserve', columns };
      const rule = (column: string) =>
        hidden.includes(column) ? { generator: 'en_US/last_names' } : { preserve: true };
      return { name, columns: Object.fromEntries(columns.map((column) => [column, rule(column)])) };
    });
    const done = await bench.run(['sync', jobFile(source, target, tables)]);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(events(done).at(-1)).toMatchObject({ event: 'completed', verification: { ok: true } });
    expect(await definitions(target)).toBe(await definitions(source));
    expect((await bench.run(['verify', jobFile(source, target, tables)])).code).toBe(0);
    for (const [name, columns] of await columnsOf(source)) {
      const hidden = masked[name] ?? [];
      const list = columns.filter((column) => !hidden.includes(column)).map((column) => `"${column}"`);
      const rows = `SELECT md5(coalesce(string_agg(t::text, ';' ORDER BY t::text), '')) AS sum FROM (SELECT ${list.join(', ')} FROM "${name}") t`;
      expect([name, (await target.query(rows)).rows]).toEqual([name, (await source.query(rows)).rows]);
    }
  });

  const TABLES = [
    {
      name: 'customer',
      columns: { id: { preserve: true }, name: { generator: 'template', pattern: 'MSK {{uuid}}' } },
    },
    { name: 'log', rows: 'none' },
  ];

  it('creates a target that does not exist, after a kill and with --resume', async () => {
    const source = await bench.database(SHOP);
    const name = `${source.name}_new`;
    const target = { url: source.url.replace(source.name, name) };
    const job = jobFile(source, target, TABLES);
    const small = ['sync', job, '--chunk-mb', '1', '--connections', '1'];
    const killed = await bench.runUntil('chunk_committed', 2, 'SIGKILL', small);
    expect(killed.code).toBe(null);
    const { rows: none } = await source.query(`SELECT FROM pg_database WHERE datname = '${name}'`);
    expect(none).toHaveLength(0);
    const done = await bench.run([...small, '--resume']);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(JSON.stringify(events(done).at(-1))).not.toContain('restarted_from_zero');
    expect(await definitions(target)).toBe(await definitions(source));
    const { rows } = await source.query(
      "SELECT datname FROM pg_database WHERE datname LIKE '%understudy%' OR datname LIKE '%_new'",
    );
    expect(rows.map(({ datname }) => datname)).toEqual([name]);
    await source.query(`DROP DATABASE ${name}`);
  });

  it('keeps the replaced database, which revert brings back, also after kills, and clean drops', async () => {
    const source = await bench.database(SHOP);
    const target = await owned("CREATE TABLE before (v text); INSERT INTO before VALUES ('old')");
    const job = jobFile(source, target, TABLES, { drop_target_only: true });
    const nothing = await bench.run(['revert', job]);
    expect([nothing.code, nothing.err]).toEqual([4, expect.stringContaining('no record of a database')]);
    const done = await bench.run(['sync', job]);
    expect([done.code, done.err]).toEqual([0, '']);
    const remark = events(done).find(({ event }) => event === 'remark');
    expect(remark?.['message']).toContain(`kept as ${target.name}_replaced_`);
    const holdsOld = async () =>
      (await target.query("SELECT to_regclass('before') IS NOT NULL AS old")).rows[0]?.['old'];
    const beside = async () => {
      const name = `${target.name}_replaced_%`;
      return (await source.query('SELECT FROM pg_database WHERE datname LIKE $1', [name])).rows.length;
    };
    for (const [step, isDone, isOld] of [
      ['before_commit', false, true],
      ['committed', true, false],
    ] as const) {
      expect((await bench.runUntil(step, 1, 'SIGKILL', ['revert', job])).code).toBe(null);
      expect(await holdsOld()).toBe(isDone ? isOld : !isOld);
      const reverted = await bench.run(['revert', job]);
      expect([reverted.code, reverted.err]).toEqual([0, '']);
      expect([events(reverted)[0]?.['event'], await holdsOld(), await beside()]).toEqual([
        'reverted',
        isOld,
        1,
      ]);
    }
    expect((await bench.run(['verify', job])).code).toBe(0);
    const again = await bench.run(['revert', job, '--progress', 'plain']);
    expect(again.out).toContain('that it had before the last run');
    const visitor = await connect(parseConnectionUrl(as(target, 'replacing')), 'target', 'visitor');
    visitor.on('error', () => undefined);
    const asked = { drop_target_only: true, end_sessions: true };
    const revert = (more: object) =>
      bench.run(['revert', jobFile(source, target, TABLES, { ...asked, ...more }), '--lock-wait', '1']);
    const inUse = await revert({});
    expect([inUse.code, inUse.err]).toEqual([5, expect.stringContaining('Sessions')]);
    expect((await revert({ allow_end_sessions: true })).code).toBe(0);
    const cleaned = await bench.run(['clean', job]);
    expect([cleaned.code, await beside(), await holdsOld()]).toEqual([0, 0, false]);
    expect((await bench.run(['revert', job])).code).toBe(4);
  });

  it('stops before a row is read if a table or a column has no decision', async () => {
    const source = await bench.database(SHOP);
    const target = await owned('CREATE TABLE before (a int)');
    const all = [TABLES[0] ?? {}, { name: 'log', rows: 'none' }];
    const losing = await bench.run(['sync', jobFile(source, target, all)]);
    expect([losing.code, losing.out.includes('before')]).toEqual([4, true]);
    await source.query('CREATE TABLE before (a int)');
    const job = jobFile(source, target, [{ name: 'customer', rows: 'preserve', columns: ['id'] }]);
    const done = await bench.run(['sync', job]);
    expect(done.code).toBe(4);
    expect(done.out).toContain('log');
    expect((await target.query("SELECT to_regclass('before') AS before")).rows).toEqual([
      { before: 'before' },
    ]);
  });

  it('permits what needs a key of a policy only by the field of its name, and lists the fields in a dry run', async () => {
    const source = await bench.database(
      "CREATE TABLE t (id int); CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; SELECT lo_create(7001); CREATE TABLE scratch (id int)",
    );
    const target = await owned();
    const tables = [{ name: 't', rows: 'preserve', columns: ['id'] }];
    const asked = { security_definer: 'keep', large_objects: 'copy', end_sessions: true };
    for (const one of Object.entries(asked)) {
      const more = { large_objects: 'skip', exclude_tables: ['scratch'], ...Object.fromEntries([one]) };
      const denied = await bench.run(['sync', jobFile(source, target, tables, more)]);
      expect([denied.code, events(denied).at(-1)?.['code']]).toEqual([4, 'policy_denied']);
      expect(denied.err).toContain('"allow_end_sessions": true');
    }
    const fields = { allow_security_definer: true, allow_large_objects: true, allow_end_sessions: true };
    const limited = jobFile(source, target, tables, {
      ...{ ...asked, ...fields, exclude_tables: ['scratch'], max_database_bytes: 1 },
    });
    const dry = await bench.run(['sync', limited, '--dry-run']);
    expect(events(dry).find(({ event }) => event === 'policy')).toEqual({
      event: 'policy',
      fields: {
        'target.build_connection_string': expect.stringMatching(/^postgresql:\/\/building:\*{3}@/),
        'target.template': null,
        ...{ ...fields, allow_foreign_servers: false, max_database_bytes: 1 },
      },
    });
    expect([dry.code, events(dry).at(-1)]).toMatchObject([4, { problems: [{ code: 'database_too_large' }] }]);
    const text = await bench.run(['sync', limited, '--dry-run', '--progress', 'plain']);
    expect(text.out).toContain(
      '  allow_foreign_servers: false\n  allow_end_sessions: true\n  max_database_bytes: 1\n',
    );
    const permitted = jobFile(source, target, tables, { ...asked, ...fields, exclude_tables: ['scratch'] });
    const done = await bench.run(['sync', permitted]);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(events(done).some(({ event }) => event === 'policy')).toBe(false);
    const { rows } = await target.query(
      'SELECT prosecdef, lo_get(7001) AS content FROM pg_proc WHERE proname = $1',
      ['f'],
    );
    expect(rows).toMatchObject([{ prosecdef: true, content: expect.anything() }]);
    expect((await bench.run(['verify', permitted])).code).toBe(0);
  });

  it('runs the job file of "init --replace database", which has a decision about each table', async () => {
    const source = await bench.database(`
      CREATE TABLE customer (id int PRIMARY KEY, email text); CREATE VIEW addresses AS SELECT email FROM customer;
      INSERT INTO customer SELECT n, 'canary' || n || '@corp.test' FROM generate_series(1, 50) n;
      CREATE TABLE product (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED); INSERT INTO product VALUES (1);
      CREATE TABLE log (entry text); INSERT INTO log VALUES ('canary');`);
    const target = await owned();
    const options = ['--replace', 'database', '--exclude', 'log', '--out', 'copy.jsonc', '--json'];
    const init = await bench.folder.run(['init', source.url, ...options]);
    expect([init.code, init.err]).toEqual([0, '']);
    expect(readFileSync(join(bench.folder.folder, 'copy.jsonc'), 'utf8')).toContain(
      '"rows": "preserve",\n      "columns": ["id"]',
    );
    const done = await bench.run(['sync', 'copy.jsonc'], {
      ...{ SOURCE_PASSWORD: new URL(source.url).password },
      ...{ TARGET_URL: as(target, 'replacing'), BUILD_URL: as(target, 'building') },
    });
    expect([done.code, done.err]).toEqual([0, '']);
    expect(await definitions(target)).toBe(await definitions(source));
    const { rows } = await target.query(
      "SELECT (SELECT count(*) FROM addresses WHERE email LIKE 'canary%')::int AS kept, (SELECT count(*) FROM log)::int AS log, (SELECT twice FROM product) AS twice",
    );
    expect(rows).toEqual([{ kept: 0, log: 0, twice: 2 }]);
  });
});
