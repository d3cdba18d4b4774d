import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import { asReplacer, asSource, createTestDatabase, type TestDatabase } from '@understudy/testing';

import { DieAtStep } from './support/die-at-step.js';
import { removeStack, startStack } from './support/stack.js';
import { RecordingApi } from './support/sync-over-rest.js';

const SHOP = `
  CREATE TABLE customers (id int PRIMARY KEY, email text);
  CREATE TABLE orders (id int PRIMARY KEY, customer int REFERENCES customers);
  CREATE TABLE log (entry text);
  CREATE VIEW emails AS SELECT email FROM customers;
  CREATE FUNCTION order_count() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM public.orders';
  INSERT INTO customers SELECT n, 'canary' || n FROM generate_series(1, 200) n;
  INSERT INTO orders SELECT n, n FROM generate_series(1, 200) n;
  INSERT INTO log VALUES ('canary of the log')`;

const TABLES = [
  { name: 'log', rows: 'none' },
  {
    name: 'customers',
    columns: { id: { preserve: true }, email: { generator: 'template', pattern: '{{uuid}}@example.test' } },
  },
  { name: 'orders', rows: 'preserve', columns: ['id', 'customer'] },
];

/** A stack whose agent dies at chosen steps, and may replace one database. */
describe('a sync job that replaces a database, over REST', () => {
  let dataDir: string;
  let death: DieAtStep;
  let stack: StackInfo;
  let api: RecordingApi;
  let old: TestDatabase;
  /** The id of the job that has replaced the target. */
  let replaced: string;
  let databases: { source: string; target: string; build: string };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-replace-'));
    death = new DieAtStep(dataDir);
    const { databases_admin_url: url } = await startStack({ dataDir });
    const source = await createTestDatabase(url, SHOP);
    old = await createTestDatabase(url, 'CREATE TABLE only_here (a int)');
    const { url: target, buildUrl: build } = await asReplacer(old);
    databases = { source: await asSource(source), target, build };
    stack = await up();
    api = new RecordingApi(stack.base_url, stack.api_token);
  });

  afterAll(() => removeStack(dataDir));

  const up = () =>
    startStack({
      dataDir,
      agentSettings: { ...death.agentSettings, BUILD_URL: databases.build },
      offerDatabases: () =>
        Promise.resolve({
          shop: { url: databases.source, roles: ['source'] },
          staging: { url: databases.target, roles: ['replace'], build_url_env: 'BUILD_URL' },
          tables: { url: databases.target, roles: ['target'] },
        }),
    });

  const request = { source: 'agent:shop', target: 'agent:staging', tables: TABLES } as const;

  it('is refused for URLs, and for a database without the role', async () => {
    await expect(api.sync({ ...request, replace: 'database', target: databases.target })).rejects.toThrow(
      'takes only databases of agents',
    );
    for (const dry_run of [false, true]) {
      const job = await api.sync({ ...request, replace: 'database', target: 'agent:tables', dry_run });
      expect(JSON.stringify([job.error, job['prediction']])).toContain('policy_denied');
    }
  });

  it('fails if it would drop what only the target has, and a dry run finds this', async () => {
    const refused = await api.sync({ ...request, replace: 'database' });
    expect(refused.error).toMatchObject({ code: 'target_only_objects' });
    const dry = await api.sync({ ...request, replace: 'database', dry_run: true });
    expect(JSON.stringify(dry['prediction'])).toContain('target_only_objects');
    await old.query('DROP TABLE only_here');
  });

  it('continues after its agent was killed, and gives the target everything that the source has', async () => {
    death.arm('chunk_committed');
    const done = api.sync({ ...request, replace: 'database' });
    await death.happened();
    await up();
    const job = await done;
    expect([job.status, job.error]).toEqual(['completed', null]);
    expect(job).toMatchObject({ attempts: 2, rows_processed: 400 });
    expect(JSON.stringify(job.warnings)).not.toContain('restarted_from_zero');
    expect(job.table_progress.map(({ name }) => name)).toEqual(['customers', 'orders']);
    const read =
      'SELECT order_count()::int AS orders, (SELECT count(*)::int FROM emails) AS emails, (SELECT count(*)::int FROM log) AS log';
    expect((await old.query(read)).rows).toEqual([{ orders: 200, emails: 200, log: 0 }]);
    const { rows } = await old.query("SELECT FROM customers WHERE email NOT LIKE '%@example.test'");
    expect(rows).toEqual([]);
    // The replaced database is kept, and nothing else is left.
    const others = `SELECT FROM pg_database WHERE datname LIKE '${old.name}\\_%' AND datname NOT LIKE '%\\_replaced\\_%'`;
    expect((await old.query(others)).rows).toEqual([]);
    replaced = job.id;
    expect(job['replaced']).toMatchObject({ reverted_at: null });
  });

  it('brings back the replaced database once, although its agent is killed after the swap', async () => {
    death.arm('committed');
    const reverted = api.revert(replaced);
    await death.happened();
    await up();
    expect(await reverted).toMatchObject({ status: 'completed', error: null });
    const tables = "SELECT to_regclass('customers') AS customers";
    expect((await old.query(tables)).rows).toEqual([{ customers: null }]);
    expect(await api.revert(replaced)).toMatchObject({ status: 'completed' });
    expect((await old.query(tables)).rows).toEqual([{ customers: 'customers' }]);
    const kept = `SELECT FROM pg_database WHERE datname LIKE '${old.name}\\_replaced\\_%'`;
    expect((await old.query(kept)).rows).toHaveLength(1);
  });
});
