import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import {
  asSource,
  asTarget,
  createTestDatabase,
  inRelease,
  it,
  type TestDatabase,
  waitFor,
} from '@understudy/testing';
import { Client } from 'pg';

import type { AgentStatus } from '../../src/operator/status-file.js';
import { removeStack, startStack } from './support/stack.js';
import { type JobView, RecordingApi } from './support/sync-over-rest.js';

const AGENT_CLI = join(__dirname, '../../dist/bundle/cli.js');
const STACK = join(__dirname, '../../../../tools/stack/dist/cli.js');
const SHARED = join(__dirname, '../../../../../shared/data');
const chinook = join(SHARED, 'chinook/Chinook_PostgreSql.sql');

const ROWS = 200;
const SEED_ROWS = `
  CREATE TABLE customers (id int PRIMARY KEY, first_name text, email text, note text);
  INSERT INTO customers SELECT n, 'Old ' || n, 'old' || n || '@corp.invalid', 'note ' || n FROM generate_series(1, ${ROWS}) AS n`;

/** The three example rules of docs/reference.md. */
const COLUMNS = {
  first_name: { generator: 'en_US/first_names' },
  email: { generator: 'template', pattern: '{{uuid}}@example.com' },
  note: { preserve: true },
};

describe('sync jobs over REST, on a running stack', () => {
  let dataDir: string;
  let stack: StackInfo;
  let api: RecordingApi;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-e2e-'));
    stack = await up();
    api = new RecordingApi(stack.base_url, stack.api_token);
  });

  afterAll(() => removeStack(dataDir));

  // The agent keeps temporary files in its state folder, so it needs no other folder to create a missing table.
  const up = () => startStack({ dataDir, agentSettings: { TMPDIR: join(dataDir, 'does-not-exist') } });

  interface Masked {
    readonly table: string;
    readonly key: string;
    readonly columns: Record<string, object>;
  }

  async function copyAndCompare(database: string, file: string, masked: readonly Masked[]): Promise<void> {
    execFileSync(process.execPath, [STACK, 'load', database, file, '--data-dir', dataDir]);
    const source = await openDatabase(`${stack.databases_admin_url}/${database}`);
    const target = await createTestDatabase(stack.databases_admin_url);
    const tables = await source.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const job = await api.sync({
      source: await asSource({ url: `${stack.databases_admin_url}/${database}` }),
      target: await asTarget(target),
      tables: tables.rows.map(({ name }) => ({
        name: String(name),
        columns: masked.find((rules) => rules.table === name)?.columns ?? {},
      })),
    });
    expect({ status: job.status, error: job.error }).toEqual({ status: 'completed', error: null });
    expectReport(
      job,
      masked.map(({ table }) => table),
    );

    for (const { name } of tables.rows) {
      const table = String(name);
      const rules = masked.find((candidate) => candidate.table === table);
      const columns = await source.query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
        [table],
      );
      const kept = columns.rows
        .map((row) => String(row['name']))
        .filter((column) => !(column in (rules?.columns ?? {})));
      const keptSql = `SELECT ${kept.map((column) => `"${column}"::text`).join(', ')} FROM "${table}" ORDER BY ${kept.map((_, i) => i + 1).join(', ')}`;
      expect({ table, rows: (await target.query(keptSql)).rows }).toEqual({
        table,
        rows: (await source.query(keptSql)).rows,
      });

      for (const column of Object.keys(rules?.columns ?? {})) {
        const sql = `SELECT "${rules?.key ?? ''}"::text AS key, "${column}"::text AS value FROM "${table}" ORDER BY 1`;
        const [before, after] = [(await source.query(sql)).rows, (await target.query(sql)).rows];
        const same = before.filter(
          (row, index) => row['value'] !== null && row['value'] === after[index]?.['value'],
        );
        const nulls = before.filter(
          (row, index) => (row['value'] === null) !== (after[index]?.['value'] === null),
        );
        expect({ table, column, same: same.length, nulls: nulls.length }).toEqual({
          table,
          column,
          same: 0,
          nulls: 0,
        });
      }
    }
    // The foreign keys exist and are validated by PostgreSQL.
    const keys = `SELECT conrelid::regclass::text AS t, conname, pg_get_constraintdef(oid) AS d, convalidated FROM pg_constraint WHERE contype = 'f' ORDER BY 1, 2`;
    expect((await target.query(keys)).rows).toEqual((await source.query(keys)).rows);
    await target.drop();
    await source.close();
  }

  const email = { generator: 'template', pattern: '{{uuid}}@example.test' };
  const phone = { generator: 'template', pattern: '+1 555 {{substring(uuid, 0, 8)}}' };
  const first = { generator: 'en_US/first_names' };
  const last = { generator: 'en_US/last_names' };

  describe('a sync job with a model, a template and a preserved column', () => {
    let source: TestDatabase;
    let target: TestDatabase;
    let own: RecordingApi;
    let job: JobView;

    beforeAll(async () => {
      own = new RecordingApi(stack.base_url, stack.api_token);
      source = await createTestDatabase(stack.databases_admin_url, SEED_ROWS);
      target = await createTestDatabase(stack.databases_admin_url);
      const tables = [{ name: 'customers', columns: COLUMNS }];
      job = await own.sync({ source: await asSource(source), target: await asTarget(target), tables });
    });

    const column = async (database: TestDatabase, name: string): Promise<string[]> =>
      (await database.query(`SELECT "${name}" AS value FROM customers ORDER BY id`)).rows.map(({ value }) =>
        String(value),
      );

    it('[0/5, 1/7, 3/2, 4.4/4] changes from pending to running to completed and writes its rows to the target', async () => {
      const states = own.responses.flatMap((text) => /"status":"(\w+)"/.exec(text)?.[1] ?? []);
      const order = ['pending', 'running', 'completed'];
      expect(states.map((state) => order.indexOf(state))).toEqual(
        states.map((state) => order.indexOf(state)).toSorted(),
      );
      expect([states[0], states.at(-1)]).toEqual(['pending', 'completed']);
      expect(job).toMatchObject({ status: 'completed', rows_processed: ROWS, error: null });
      expect(await column(target, 'id')).toEqual(await column(source, 'id'));
    });

    it('[1/7, 2.2/15, 2.2/16] fills a column from a model', async () => {
      const names = await column(target, 'first_name');
      expect(names.every((name) => /^\p{L}[\p{L}' -]*$/u.test(name))).toBe(true);
      expect(new Set(names).size).toBeGreaterThan(ROWS / 4);
    });

    it('[2.2/16] fills a column from a template', async () => {
      const emails = await column(target, 'email');
      expect(emails.every((email) => /^[0-9a-f-]{36}@example\.com$/.test(email))).toBe(true);
      expect(new Set(emails).size).toBe(ROWS);
    });

    it('[1/7, 2.2/16] keeps the original values of a preserved column', async () => {
      expect(await column(target, 'note')).toEqual(await column(source, 'note'));
    });
  });

  (existsSync(chinook) ? it : it.skip)('copies Chinook with customers and employees masked', async () => {
    await copyAndCompare('chinook', chinook, [
      {
        table: 'customer',
        key: 'customer_id',
        columns: { first_name: first, last_name: last, phone, email },
      },
      {
        table: 'employee',
        key: 'employee_id',
        columns: { first_name: first, last_name: last, phone, email },
      },
    ]);
  });

  it('runs a job that is too large for one command', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `column_${index}`);
    const columns = `${names.map((name) => `${name} text DEFAULT 'original'`).join(', ')}, kept int PRIMARY KEY`;
    const source = await createTestDatabase(
      stack.databases_admin_url,
      `CREATE TABLE wide (${columns}); INSERT INTO wide (kept) VALUES (1), (2), (3)`,
    );
    const target = await createTestDatabase(stack.databases_admin_url);
    const rule = { generator: 'template', pattern: `masked${' '.repeat(4_000)}` };
    const where = 'kept > 1';
    const job = await api.sync({
      source: await asSource(source),
      target: await asTarget(target),
      tables: [
        { name: 'wide', columns: Object.fromEntries(names.map((name) => [name, rule])), subset: { where } },
      ],
    });
    expect({ status: job.status, error: job.error }).toEqual({ status: 'completed', error: null });
    const { rows } = await target.query('SELECT kept, trim(column_399) AS masked FROM wide ORDER BY kept');
    expect(rows).toEqual([2, 3].map((kept) => ({ kept, masked: 'masked' })));
  });

  inRelease('reports a job as pending while no agent is live, and runs it later', async () => {
    const source = await createTestDatabase(
      stack.databases_admin_url,
      'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)',
    );
    const target = await createTestDatabase(stack.databases_admin_url);
    for (const pid of stack.pids.agents) process.kill(pid, 'SIGKILL');
    await waitFor('the agent to count as away', async () => {
      const answer = (await api.call('GET', '/agents')).body.data as unknown as {
        agents: { status: string }[];
      };
      return answer.agents.every((agent) => agent.status !== 'live');
    });
    const created = await api.call('POST', '/sync/jobs', {
      name: 'waits',
      source: { type: 'postgresql', connection_string: await asSource(source) },
      target: { type: 'postgresql', connection_string: await asTarget(target) },
      tables: [{ name: 't', columns: {} }],
    });
    expect(created.status).toBe(201);
    expect(created.body.data?.status).toBe('pending');
    expect(JSON.stringify(created.body.data?.warnings)).toContain('no_live_agent');

    await up();
    const id = created.body.data?.id ?? '';
    const job = await waitFor('the job to end', async () => {
      const view = (await api.call('GET', `/sync/jobs/${id}`)).body.data;
      return (view?.status === 'completed' || view?.status === 'failed') && view;
    });
    expect({
      status: job.status,
      error: job.error,
      rows: job.rows_processed,
      warnings: job.warnings,
    }).toEqual({
      status: 'completed',
      error: null,
      rows: 2,
      warnings: [],
    });
  });

  it('[4.4/9] cancels a job during its copy, leaves the target unchanged, and deletes the job', async () => {
    await up();
    const source = await createTestDatabase(
      stack.databases_admin_url,
      `CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT n, 'row ' || n FROM generate_series(1, 1000) AS n`,
    );
    // The copy stops at row 500 until the test releases the lock, so the cancel request cannot come too late.
    const target = await createTestDatabase(
      stack.databases_admin_url,
      `${gate(500)} CREATE TABLE t (id int PRIMARY KEY CHECK (public.gate(id)), name text); INSERT INTO t VALUES (-1, 'before')`,
    );
    const keeper = await keeperOf(target);
    const request = {
      source: await asSource(source),
      target: await asTarget(target),
      tables: [{ name: 't', columns: { name: { generator: 'en_US/first_names' } } }],
    };
    const created = await api.call('POST', '/sync/jobs', {
      name: 'cancelled',
      source: { type: 'postgresql', connection_string: request.source },
      target: { type: 'postgresql', connection_string: request.target },
      tables: request.tables,
    });
    const path = `/sync/jobs/${created.body.data?.id ?? ''}`;
    const view = async () => (await api.call('GET', path)).body.data;
    await atTheGate(target);
    await waitFor('the start to be known', async () => (await view())?.status === 'running');
    const cancelled = await api.call('DELETE', path);
    expect([cancelled.status, cancelled.body.data]).toEqual([
      202,
      { id: created.body.data?.id, status: 'running', cancelled: true, deleted: false },
    ]);
    const job = await waitFor('the job to end', async () => {
      const now = await view();
      return now?.status !== 'running' && now;
    });
    expect([job.status, job.error?.code, job['attempts']]).toEqual(['failed', 'cancelled', 1]);
    expect((await target.query('SELECT id FROM t')).rows).toEqual([{ id: -1 }]);
    for (const { query } of [source, target]) {
      const sessions = `SELECT FROM pg_stat_activity WHERE application_name LIKE 'understudy%' AND datname = current_database()`;
      await waitFor('the sessions to be gone', async () => (await query(sessions)).rows.length === 0);
    }
    expect((await api.call('DELETE', path)).body.data).toEqual({
      id: created.body.data?.id,
      deleted: true,
      cancelled: false,
    });
    expect((await api.call('GET', path)).status).toBe(404);
    await keeper.end();
    expect((await api.sync(request)).status).toBe('completed');
  });

  it('ends a job that the operator cancels on the agent, and does not try it again', async () => {
    const source = await createTestDatabase(
      stack.databases_admin_url,
      'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)',
    );
    const target = await createTestDatabase(
      stack.databases_admin_url,
      `${gate(1)} CREATE TABLE t (id int PRIMARY KEY CHECK (public.gate(id))); INSERT INTO t VALUES (-1)`,
    );
    const keeper = await keeperOf(target);
    const created = await api.call('POST', '/sync/jobs', {
      name: 'cancelled by the operator',
      source: { type: 'postgresql', connection_string: await asSource(source) },
      target: { type: 'postgresql', connection_string: await asTarget(target) },
      tables: [{ name: 't', columns: {} }],
    });
    const id = created.body.data?.id ?? '';
    await atTheGate(target);
    const env = {
      ...process.env,
      UNDERSTUDY_AGENT_STATE_DIR: join(dataDir, 'agent', 'state'),
      UNDERSTUDY_AGENT_POLICY_FILE: join(dataDir, 'agent', 'policy.yaml'),
      UNDERSTUDY_CONTROL_URL: stack.base_url,
    };
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [AGENT_CLI, ...args], { env, encoding: 'utf8' });
    // The file can be older than the snapshot and even than the first reply, until the next heartbeat.
    const file = join(env.UNDERSTUDY_AGENT_STATE_DIR, 'status.json');
    await waitFor('the job and its snapshot in the status', async () => {
      const { jobs, last_reply_at } = JSON.parse(readFileSync(file, 'utf8')) as AgentStatus;
      return last_reply_at !== null && jobs.some((job) => job.id === id && job.snapshot_since !== null);
    });
    const status = run('status');
    expect(status).toContain(id);
    expect(status).toMatch(/^ +its snapshot is \d+ s old and holds back vacuum on the source$/m);
    expect(run('check')).toMatch(/^ok {4}control plane API {8}the API of the control plane responds$/m);
    expect(run('cancel', id)).toBe(`${id} is cancelled. Its target is as it was before.\n`);
    const job = await waitFor('the job to end', async () => {
      const { data } = (await api.call('GET', `/sync/jobs/${id}`)).body;
      return data?.status === 'failed' && data;
    });
    expect([job.error?.code, job['attempts']]).toEqual(['cancelled', 1]);
    expect((await target.query('SELECT id FROM t')).rows).toEqual([{ id: -1 }]);
    await keeper.end();
  });

  it('restarts a job whose agent is killed during the copy', async () => {
    const { pids } = await up();
    const source = await createTestDatabase(
      stack.databases_admin_url,
      `CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT n, 'row ' || n FROM generate_series(1, 1000) AS n`,
    );
    // The copy stops at row 500 until the agent is dead.
    const target = await createTestDatabase(
      stack.databases_admin_url,
      `${gate(500)} CREATE TABLE t (id int PRIMARY KEY CHECK (public.gate(id)), name text); INSERT INTO t VALUES (-1, 'before')`,
    );
    const keeper = await keeperOf(target);
    const created = await api.call('POST', '/sync/jobs', {
      name: 'killed',
      source: { type: 'postgresql', connection_string: await asSource(source) },
      target: { type: 'postgresql', connection_string: await asTarget(target) },
      tables: [{ name: 't', columns: { name: { generator: 'en_US/first_names' } } }],
    });
    const id = created.body.data?.id ?? '';
    const view = async () => (await api.call('GET', `/sync/jobs/${id}`)).body.data;
    await atTheGate(target);
    await waitFor('the size of the copy to be known', async () => {
      const progress = (await view())?.['progress'] as { readonly bytes_total: number | null } | undefined;
      return typeof progress?.bytes_total === 'number';
    });
    for (const pid of pids.agents) process.kill(pid, 'SIGKILL');
    const running = await view();
    expect(running).toMatchObject({
      status: 'running',
      progress: {
        phase: expect.any(String),
        bytes_done: expect.any(Number),
        bytes_total: expect.any(Number),
      },
      verification: null,
    });
    expect((await target.query('SELECT id FROM t')).rows).toEqual([{ id: -1 }]);
    await keeper.end();

    await up();
    const job = await waitFor('the job to end', async () => {
      const now = await view();
      return (now?.status === 'completed' || now?.status === 'failed') && now;
    });
    expect({ status: job.status, error: job.error, attempts: job['attempts'] }).toEqual({
      status: 'completed',
      error: null,
      attempts: 2,
    });
    expect((await target.query('SELECT count(*)::int AS n FROM t')).rows).toEqual([{ n: 1000 }]);
  });
});

/** SQL that creates a function for a CHECK constraint. A row with this id waits until the keeper releases its lock. */
const gate = (id: number) => `
  CREATE FUNCTION gate(id int) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN IF id = ${id} THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF; RETURN true; END $$;`;

/** Opens a session that closes the gate until it ends. */
async function keeperOf({ url }: TestDatabase): Promise<Client> {
  const keeper = new Client(url);
  await keeper.connect();
  await keeper.query('SELECT pg_advisory_lock(4711)');
  return keeper;
}

async function atTheGate({ query }: TestDatabase): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`;
  await waitFor('the copy to be under way', async () => (await query(waiting)).rows.length === 1);
}

/** Checks that a completed job reports the durations of its phases, its byte counts and its verification. */
function expectReport(job: JobView, masked: readonly string[]): void {
  const phases = job['phases'] as { phase: string; seconds: number }[];
  expect(phases.map(({ phase }) => phase)).toEqual([
    'preflight',
    'copying',
    'verifying',
    'indexing',
    'switching',
  ]);
  const progress = job['progress'] as Record<string, number | null>;
  expect(progress).toMatchObject({
    phase: null,
    rows_done: job.rows_processed,
    rows_total: job.rows_processed,
  });
  expect(progress['bytes_done']).toBeGreaterThan(0);
  expect(progress['bytes_total']).toBe(progress['bytes_done']);
  const verification = job['verification'] as {
    ok: boolean;
    checks: { check: string; table: string; ok: boolean; rows: Record<string, number> | null }[];
  };
  expect(verification.ok).toBe(true);
  const tablesOf = (kind: string) =>
    verification.checks.flatMap(({ check, table }) => (check === kind ? [table] : []));
  expect(tablesOf('row_count')).toEqual(job['tables']);
  expect(tablesOf('preserved_columns')).toEqual(job['tables']);
  expect(tablesOf('masked_columns')).toEqual(masked);
  expect(tablesOf('foreign_keys').length).toBeGreaterThan(5);
}

interface OpenDatabase {
  query(sql: string, params?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
}

async function openDatabase(url: string): Promise<OpenDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return { query: (sql, params) => client.query(sql, params), close: () => client.end() };
}
