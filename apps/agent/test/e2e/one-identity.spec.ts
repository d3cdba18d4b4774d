import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, waitFor, type TestDatabase } from '@understudy/testing';
import { Client } from 'pg';

import { removeStack, startStack } from './support/stack.js';
import { RecordingApi, type JobView } from './support/sync-over-rest.js';

const MAIN = join(import.meta.dirname, '../../dist/bundle/main.js');

/** A process of the agent's program. Each process has its own state folder, unless it starts after another ended. */
class AgentProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  log = '';

  constructor(stack: StackInfo, stateDir: string) {
    this.child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        UNDERSTUDY_CONTROL_URL: stack.base_url,
        UNDERSTUDY_AGENT_STATE_DIR: stateDir,
        UNDERSTUDY_AGENT_POLICY_FILE: join(stack.data_dir, 'agent', 'policy.yaml'),
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (bytes: Buffer) => (this.log += bytes.toString()));
    this.exit = once(this.child, 'close');
  }

  connected(): Promise<true> {
    return waitFor('the agent to connect', async () => this.log.includes('connected as agt_') as true);
  }

  /** Returns the messages of a level (60: fatal). */
  messages(level: number): string[] {
    const lines = this.log.split('\n').filter((line) => line.includes(`"level":${level},`));
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }
}

describe('an agent whose state folder was copied to a second machine', () => {
  let dataDir: string;
  let stack: StackInfo;
  let api: RecordingApi;
  let source: TestDatabase;
  /** The connection URLs of the jobs. */
  let urls: { readonly source: string; readonly target: string };
  const processes: AgentProcess[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-identity-'));
    stack = await startStack({ dataDir });
    process.kill(stack.pids.agents[0] ?? NaN, 'SIGKILL');
    api = new RecordingApi(stack.base_url, stack.api_token);
    const rows = 'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000)';
    source = await createTestDatabase(stack.databases_admin_url, rows);
    const target = await createTestDatabase(stack.databases_admin_url);
    urls = { source: await asSource(source), target: await asTarget(target) };
  });

  afterAll(async () => {
    for (const { child, exit } of processes) {
      child.kill('SIGKILL');
      await exit;
    }
    await removeStack(dataDir);
  });

  const folder = (name: string) => join(dataDir, 'agent', name);
  const start = async (stateDir: string) => {
    const started = new AgentProcess(stack, stateDir);
    processes.push(started);
    await started.connected();
    return started;
  };
  const view = async (id: string) => (await api.call('GET', `/sync/jobs/${id}`)).body.data as JobView;
  const shown = async () => {
    const { data } = (await api.call('GET', '/agents')).body;
    return (data?.['agents'] as { last_started_at: string; last_conflict_at: string | null }[])[0];
  };

  it('is replaced by the second process, which does its job', async () => {
    const first = await start(folder('state'));
    const lock = new Client({ connectionString: source.url });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE t IN ACCESS EXCLUSIVE MODE'); // the job waits for this lock
    const created = await api.call('POST', '/sync/jobs', {
      name: 'one identity',
      source: { type: 'postgresql', connection_string: urls.source },
      target: { type: 'postgresql', connection_string: urls.target },
      tables: [{ name: 't' }],
    });
    const id = created.body.data?.id ?? '';
    await waitFor('the job to run', async () => (await view(id)).status === 'running');
    cpSync(folder('state'), folder('copy'), { recursive: true });

    const second = await start(folder('copy'));
    expect(await first.exit).toEqual([78, null]);
    expect(first.messages(60)).toEqual([
      expect.stringContaining('another process uses the identity of this agent'),
    ]);
    expect(first.log).not.toContain('job failed'); // the second process reports how the job goes on
    await lock.end();
    const ended = await waitFor('the job to end', async () => {
      const job = await view(id);
      return (job.status === 'completed' || job.status === 'failed') && job;
    });
    expect([ended.status, ended['attempts'], ended.rows_processed]).toEqual(['completed', 2, 1000]);
    expect((await shown())?.last_conflict_at).toEqual(expect.any(String));
    expect(second.child.exitCode).toBeNull();
  });

  it('starts again on the same folder without a conflict', async () => {
    const before = await shown();
    const previous = processes.at(-1);
    previous?.child.kill('SIGTERM');
    await previous?.exit;
    const restarted = await start(folder('copy'));
    await api.sync({ ...urls, tables: [{ name: 't' }] });
    const after = await shown();
    expect(after?.last_conflict_at).toBe(before?.last_conflict_at);
    expect(Date.parse(after?.last_started_at ?? '')).toBeGreaterThan(
      Date.parse(before?.last_started_at ?? ''),
    );
    expect(restarted.child.exitCode).toBeNull();
  });
});
