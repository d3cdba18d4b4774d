import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { identifyProcess, stackDown, stackStatus, stackUp, type StackInfo } from '../src/index.js';
import { waitUntilReady } from '@understudy/local-system';

const CLI = join(import.meta.dirname, '../dist/cli.js');

describe('a stack', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-stack-'));
  let first: StackInfo;

  beforeAll(async () => {
    first = await stackUp({ dataDir });
  });
  afterAll(async () => {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
  });

  function pids(info: StackInfo): number[] {
    const { agents, ...rest } = info.pids;
    return [...Object.values(rest), ...agents].map((pid) => pid ?? 0);
  }

  async function query(info: StackInfo, sql: string): Promise<unknown[]> {
    const client = new Client({ connectionString: `${info.databases_url}/postgres` });
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
      expect(log).not.toContain(new URL(first.databases_url).password);
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
