import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase } from '@understudy/testing';

import { removeStack, startStack } from './support/stack.js';
import { RecordingApi } from './support/sync-over-rest.js';

/**
 * Each fault makes a job fail with a specific code and leaves the target unchanged. The agent then accepts
 * the next job.
 */
describe('a job that must fail', () => {
  let dataDir: string;
  let stack: StackInfo;
  let api: RecordingApi;
  let source: Awaited<ReturnType<typeof createTestDatabase>>;
  let target: Awaited<ReturnType<typeof createTestDatabase>>;
  let sourceUrl: string;
  let targetUrl: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-faults-'));
    const oldTools = join(dataDir, 'old-postgresql');
    mkdirSync(oldTools);
    for (const name of ['pg_dump', 'pg_restore']) {
      writeFileSync(join(oldTools, name), `#!/bin/sh\necho "${name} (PostgreSQL) 13.4"\n`);
      chmodSync(join(oldTools, name), 0o755);
    }
    process.env['UNDERSTUDY_AGENT_PG_BIN_DIR'] = oldTools;
    stack = await startStack({ dataDir });
    api = new RecordingApi(stack.base_url, stack.api_token);
    source = await createTestDatabase(
      stack.databases_admin_url,
      `CREATE TABLE people (id int PRIMARY KEY, name text, mail text);
       INSERT INTO people VALUES (1, 'one', 'a@x.example'), (2, 'two', 'a@x.example'), (3, 'three', NULL);
       CREATE TABLE only_here (id int);`,
    );
    target = await createTestDatabase(
      stack.databases_admin_url,
      `CREATE TABLE people (id int PRIMARY KEY, name text, mail text UNIQUE);
       INSERT INTO people VALUES (7, 'kept', 'kept@x.example');`,
    );
    [sourceUrl, targetUrl] = [await asSource(source), await asTarget(target)];
  });

  afterAll(async () => {
    Reflect.deleteProperty(process.env, 'UNDERSTUDY_AGENT_PG_BIN_DIR');
    await removeStack(dataDir);
  });

  const people = { name: 'people', columns: {} };

  it.each<[string, string, () => { source?: string; tables: readonly object[] }]>([
    [
      'the source refuses the connection',
      'connection_failed',
      () => ({ source: refused(), tables: [people] }),
    ],
    [
      'the password is wrong',
      'authentication_failed',
      () => ({ source: edited({ password: 'wrong' }), tables: [people] }),
    ],
    [
      'the database does not exist',
      'database_not_found',
      () => ({ source: edited({ pathname: '/not_there' }), tables: [people] }),
    ],
    ['a table is missing', 'table_not_found', () => ({ tables: [{ name: 'nobody', columns: {} }] })],
    [
      'a rule names a missing column',
      'column_not_found',
      () => ({ tables: [{ name: 'people', columns: { age: { preserve: true } } }] }),
    ],
    [
      'the policy does not name the host',
      'policy_denied',
      () => ({ source: edited({ hostname: 'db.elsewhere.example' }), tables: [people] }),
    ],
    [
      'pg_dump is older than the server',
      'pg_dump_too_old',
      () => ({ tables: [{ name: 'only_here', columns: {} }] }),
    ],
    [
      'a private model does not exist',
      'model_not_found',
      () => ({ tables: [{ name: 'people', columns: { name: { generator: 'private/none' } } }] }),
    ],
    [
      'a column has too few values to train on',
      'training_refused',
      () => ({
        tables: [
          {
            name: 'people',
            columns: { name: { generator: 'private/few', train: { order: 3, min_values: 5 } } },
          },
        ],
      }),
    ],
    ['a value violates a constraint of the target', 'constraint_violation', () => ({ tables: [people] })],
    [
      'source and target are the same database',
      'same_database',
      () => ({ source: targetUrl, tables: [people] }),
    ],
  ])('%s: %s', async (_what, code, request) => {
    const { source: from = sourceUrl, tables } = request();
    const job = await api.sync({ source: from, target: targetUrl, tables });

    expect(job.status).toBe('failed');
    expect(job.error?.code).toBe(code);
    expect(job.error?.message.length).toBeGreaterThan(20);
    expect(JSON.stringify(job)).not.toMatch(/kept@x|a@x\.example|three|wrong|postgres:[^*]/);
    expect((await target.query('SELECT * FROM people')).rows).toEqual([
      { id: 7, name: 'kept', mail: 'kept@x.example' },
    ]);

    const next = await api.sync({
      source: sourceUrl,
      target: targetUrl,
      tables: [{ name: 'people', columns: { mail: { generator: 'template', pattern: '{{uuid}}' } } }],
    });
    expect({ status: next.status, rows: next.rows_processed, error: next.error }).toEqual({
      status: 'completed',
      rows: 3,
      error: null,
    });
    await target.query("TRUNCATE people; INSERT INTO people VALUES (7, 'kept', 'kept@x.example')");
  });

  it('reports missing privileges with SQL that makes the same job complete', async () => {
    const orders = `CREATE TABLE orders (id serial PRIMARY KEY); CREATE TABLE "Odd ""Lines""" (id int REFERENCES orders)`;
    await source.query(
      `${orders}; INSERT INTO orders DEFAULT VALUES; CREATE ROLE ordinary LOGIN PASSWORD 'pw'`,
    );
    await target.query(`${orders}; CREATE ROLE owner_of_orders; ALTER TABLE orders OWNER TO owner_of_orders`);
    await source.query('ALTER TABLE orders ENABLE ROW LEVEL SECURITY');
    const as = (database: { url: string }) =>
      Object.assign(new URL(database.url), { username: 'ordinary', password: 'pw' }).href;
    const request = { source: as(source), target: as(target), tables: [{ name: 'orders', columns: {} }] };
    let job = await api.sync(request);
    for (let round = 1; round <= 3 && job.status === 'failed'; round++) {
      expect(job.error?.code).toBe('permission_denied');
      expect(job.error?.details.map(({ field }) => field)).toContain('tables[0]');
      for (const { message } of job.error?.details ?? []) {
        const [, sql = ''] = /: ((?:GRANT|ALTER) [^;]+;)$/.exec(message) ?? [];
        await (message.includes('the source database') ? source : target).query(sql);
      }
      job = await api.sync(request);
    }
    expect({ status: job.status, rows: job.rows_processed, error: job.error }).toEqual({
      status: 'completed',
      rows: 1,
      error: null,
    });
  });

  function edited(change: Partial<URL>): string {
    return Object.assign(new URL(sourceUrl), change).href;
  }

  /** Returns a URL that the policy admits. No server listens on its port, which is 1. */
  function refused(): string {
    return edited({ port: '1' });
  }
});
