import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  connect,
  DATABASE_ROLES,
  disconnect,
  missingPrivileges,
  parseConnectionUrl,
} from '@understudy/postgres';
import { waitFor } from '@understudy/testing';
import { Client } from 'pg';
import { stackDown, stackStatus, stackUp, type StackInfo } from '../src/index.js';
import { cleanUpOnExit, identifyProcess, waitUntilReady } from '@understudy/local-system';

const CLI = join(import.meta.dirname, '../dist/cli.js');

describe('a stack', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-stack-'));
  let first: StackInfo;

  beforeAll(async () => {
    first = await stackUp({ dataDir });
  });
  const callOff = cleanUpOnExit([], [dataDir]);
  afterAll(async () => {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
    callOff();
  });

  function pids(info: StackInfo): number[] {
    const { agents, ...rest } = info.pids;
    return [...Object.values(rest), ...agents].map((pid) => pid ?? 0);
  }

  const query = (info: StackInfo, sql: string) => queryAt(`${info.databases_admin_url}/postgres`, sql);

  async function queryAt(url: string, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('consists of five running processes, with an API that accepts its token', async () => {
    expect(pids(first)).toHaveLength(5);
    for (const pid of pids(first)) expect(identifyProcess(pid)).toBeDefined();
    const response = await fetch(`${first.base_url}/agents`, {
      headers: { authorization: `Bearer ${first.api_token}` },
    });
    expect(await response.json()).toMatchObject({ data: { agents: [{ status: 'live' }] } });
  });

  it('copies, snapshots and restores databases of a role that is not a superuser and lacks nothing', async () => {
    const { databases_url: server, base_url: base, api_token: token } = first;
    const call = async <T>(path: string, body?: object): Promise<T> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = body && { method: 'POST', body: JSON.stringify(body) };
      const { data, error } = (await (await fetch(base + path, { headers, ...init })).json()) as {
        data: T;
        error?: unknown;
      };
      expect(error).toBeUndefined();
      return data;
    };
    const ended = (path: string, expected: string) =>
      waitFor(expected, async () => {
        const { status, error } = await call<{ status: string; error: unknown }>(path);
        if (status === 'failed') throw new Error(JSON.stringify(error));
        return status === expected;
      });
    for (const name of ['shop', 'staging']) await queryAt(`${server}/postgres`, `CREATE DATABASE ${name}`);
    await queryAt(`${server}/staging`, 'CREATE EXTENSION citext');
    await queryAt(
      `${server}/shop`,
      `CREATE EXTENSION citext; CREATE SCHEMA crm; CREATE SEQUENCE numbers;
       CREATE TABLE crm.customers (id text PRIMARY KEY DEFAULT 'C' || nextval('numbers'), email citext);
       INSERT INTO crm.customers (email) SELECT 'ada@mail.example' FROM generate_series(1, 5)`,
    );
    const flags = 'rolsuper, rolcreaterole, rolbypassrls, rolreplication';
    const [role] = await queryAt(
      `${server}/shop`,
      `SELECT ${flags}, has_database_privilege('understudy_control', 'CONNECT') AS control FROM pg_roles WHERE rolname = current_user`,
    );
    expect(new Set(Object.values(role as object))).toEqual(new Set([false]));
    const client = await connect(parseConnectionUrl(`${server}/shop`), 'target');
    expect(await missingPrivileges(client, new Set(DATABASE_ROLES))).toEqual([]);
    await disconnect(client);

    const at = (name: string) => ({ type: 'postgresql', connection_string: `${server}/${name}` });
    const email = { generator: 'template', pattern: '{{uuid}}@example.test' };
    const tables = [{ name: 'crm.customers', columns: { email } }];
    const job = await call<{ id: string }>('/sync/jobs', {
      ...{ name: 'copy', source: at('shop'), target: at('staging'), tables },
    });
    await ended(`/sync/jobs/${job.id}`, 'completed');
    expect(
      await queryAt(`${server}/staging`, 'INSERT INTO crm.customers DEFAULT VALUES RETURNING id'),
    ).toEqual([{ id: 'C6' }]);
    const snapshot = await call<{ id: string }>('/snapshots', { name: 's', database: `${server}/staging` });
    await ended(`/snapshots/${snapshot.id}`, 'ready');
    const restoring = { target_database: `${server}/shop`, overwrite: true };
    const { restore_id: restore } = await call<{ restore_id: string }>(
      `/snapshots/${snapshot.id}/restore`,
      restoring,
    );
    await ended(`/snapshots/${snapshot.id}/restores/${restore}`, 'completed');
    expect(
      await queryAt(
        `${server}/shop`,
        `SELECT count(*)::int AS n FROM crm.customers WHERE email <> 'ada@mail.example'`,
      ),
    ).toEqual([{ n: 5 }]);
  });

  it('stays the same when it is started again', async () => {
    const second = await stackUp({ dataDir });
    expect(second).toEqual(first);
  });

  it('stays the same for the command line, which prints one JSON object', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      CLI,
      'up',
      '--json',
      '--data-dir',
      dataDir,
    ]);
    expect(JSON.parse(stdout)).toEqual(first);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('keeps its secrets in files that only the owner can read', () => {
    expect(statSync(join(dataDir, 'state.json')).mode & 0o777).toBe(0o600);
    for (const service of ['control-plane', 'agent', 'postgres', 'redis', 'nats']) {
      const log = readFileSync(join(first.logs_dir, `${service}.log`), 'utf8');
      expect(log).not.toContain(first.api_token);
      for (const url of [first.databases_url, first.databases_admin_url])
        expect(log).not.toContain(new URL(url).password);
    }
  });

  it('restarts only the processes that have died', async () => {
    const { redis } = first.pids;
    process.kill(redis ?? 0, 'SIGKILL');
    await gone(redis ?? 0);
    expect((await stackStatus({ dataDir }))?.find(({ name }) => name === 'redis')?.state).toBe('stopped');
    const again = await stackUp({ dataDir });
    expect(again.pids).toEqual({ ...first.pids, redis: again.pids.redis });
    expect(again.pids.redis).not.toBe(redis);
    expect(again.redis_url).toBe(first.redis_url);
  });

  it('keeps its data after kill -9 of every process', async () => {
    const before = await stackUp({ dataDir });
    await query(before, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (42)');
    for (const pid of pids(before)) process.kill(pid, 'SIGKILL');
    for (const pid of pids(before)) await gone(pid);
    const after = await stackUp({ dataDir });
    expect({ ...after, pids: {} }).toEqual({ ...before, pids: {} });
    expect(await query(after, 'SELECT a FROM kept')).toEqual([{ a: 42 }]);
  });

  it('lets webhooks reach this machine only with --allow-local-webhooks', async () => {
    const post = async ({ base_url: base, api_token: token }: StackInfo) => {
      const body = JSON.stringify({ url: 'http://127.0.0.1:8080/', events: ['sync.failed'] });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch(`${base}/webhooks`, { method: 'POST', headers, body })).status;
    };
    expect(await post(await stackUp({ dataDir }))).toBe(422);
    const up = ['up', '--json', '--allow-local-webhooks', '--data-dir', dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...up]);
    expect(await post(JSON.parse(stdout) as StackInfo)).toBe(201);
  });

  it('uses another port if its port is taken, and leaves no process when it is stopped', async () => {
    const before = await stackUp({ dataDir });
    await stackDown({ dataDir });
    for (const pid of pids(before)) expect(identifyProcess(pid)).toBeUndefined();
    expect((await stackStatus({ dataDir }))?.map(({ state }) => state)).toEqual(Array(5).fill('stopped'));

    const taken = Number(new URL(before.databases_url).port);
    const squatter = createServer().listen(taken, '127.0.0.1');
    try {
      const after = await stackUp({ dataDir });
      expect(new URL(after.databases_url).port).not.toBe(String(taken));
      expect(after.org_id).toBe(before.org_id);
      expect(await query(after, 'SELECT a FROM kept')).toEqual([{ a: 42 }]);
    } finally {
      squatter.close();
    }
  });

  async function gone(pid: number): Promise<void> {
    await waitUntilReady(async () => {
      if (identifyProcess(pid)) throw new Error(`process ${pid} still runs`);
    });
  }
});

describe('a stack that cannot start', () => {
  it('reports the variable of an external service that does not respond, without its value', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'understudy-stack-'));
    const env = { ...process.env, UNDERSTUDY_DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x' };
    const failure = await promisify(execFile)(
      process.execPath,
      [CLI, 'up', '--json', '--data-dir', dataDir],
      {
        env,
      },
    ).catch((error: unknown) => error as { code: number; stdout: string; stderr: string });
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toContain('UNDERSTUDY_DATABASE_URL');
    expect(failure.stderr).not.toContain('hunter2');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false); // no service was started
    rmSync(dataDir, { recursive: true, force: true });
  });
});
