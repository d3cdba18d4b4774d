import { existsSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadScript } from '../src/load/load-script.js';
import { ensureBinaries } from '@understudy/testing/provision';
import {
  type PostgresBinaries,
  type RunningService,
  startPostgres,
  stopPostgres,
} from '@understudy/local-system';

const SHARED = join(import.meta.dirname, '../../../../shared/data');
const CHINOOK = join(SHARED, 'chinook/Chinook_PostgreSql.sql');
const NORTHWIND = join(SHARED, 'northwind/northwind.sql');

describe('loading a script', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-load-'));
  let server: RunningService;
  let binaries: PostgresBinaries;

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    binaries = (await ensureBinaries()).postgres;
    server = await startPostgres({
      binaries,
      dataFolder: join(folder, 'pg', 'data'),
      logFile: join(folder, 'pg.log'),
      password: 'not-a-secret',
      durable: false,
    });
  });
  afterAll(async () => {
    await stopPostgres(server.process, 'immediate');
    rmSync(folder, { recursive: true, force: true });
  });

  async function query(database: string, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: `${server.url}/${database}` });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>({ text: sql })).rows;
    } finally {
      await client.end();
    }
  }

  function load(database: string, file: string, replace = false): Promise<void> {
    return loadScript({ databasesUrl: server.url, database, file, binaries, replace });
  }

  function script(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  const databases = () => query('postgres', 'SELECT datname FROM pg_database ORDER BY 1');

  it('loads everything into the requested database, even if the script names another one', async () => {
    await load(
      'my "shop"',
      script(
        'elsewhere.sql',
        "\ufeffDROP DATABASE IF EXISTS postgres;\nCREATE DATABASE other;\n\\c other\nCREATE TABLE t (a text);\nCOPY t FROM stdin;\nDROP DATABASE x;\n\\.\nINSERT INTO t VALUES ('é');\n",
      ),
    );
    expect(await query(encodeURIComponent('my "shop"'), 'SELECT a FROM t')).toEqual([
      { a: 'DROP DATABASE x;' },
      { a: 'é' },
    ]);
    expect(JSON.stringify(await databases())).not.toContain('other');
  });

  it('drops the database when a statement fails, and reports the statement', async () => {
    const before = await databases();
    const file = script('wrong.sql', 'CREATE TABLE t (a int);\nSELECT * FROM nowhere;\n');
    await expect(load('broken', file)).rejects.toThrow(/nowhere/);
    expect(await databases()).toEqual(before);
  });

  it('replaces an existing database only with `replace`', async () => {
    const file = script('one.sql', 'CREATE TABLE one (a int);\n');
    await load('twice', file);
    await expect(load('twice', file)).rejects.toMatchObject({
      code: 'load.failed',
      message: /the database twice already exists/,
    });
    await load('twice', file, true);
    expect(await query('twice', 'SELECT count(*)::int AS n FROM one')).toEqual([{ n: 0 }]);
  });

  it.each([
    ['a missing file', () => '/nowhere/x.sql', /does not exist/],
    ['a folder', () => folder, /expected a file/],
    ['an archive of pg_dump', () => script('dump', 'PGDMP\u0001\u000e'), /archive/],
  ])('refuses %s before it creates a database', async (_what, file, message) => {
    const before = await databases();
    await expect(load('never', file())).rejects.toThrow(message);
    expect(await databases()).toEqual(before);
  });

  const itWith = (file: string) => (existsSync(file) ? it : it.skip);

  itWith(CHINOOK)('loads Chinook, which creates a database and connects to it', async () => {
    await load('music', CHINOOK);
    expect(await query('music', 'SELECT count(*)::int AS n FROM customer')).toEqual([{ n: 59 }]);
    expect(await query('music', 'SELECT count(*)::int AS n FROM track')).toEqual([{ n: 3503 }]);
  });

  itWith(NORTHWIND)('loads Northwind', async () => {
    await load('northwind', NORTHWIND);
    expect(await query('northwind', 'SELECT count(*)::int AS n FROM customers')).toEqual([{ n: 91 }]);
  });
});
