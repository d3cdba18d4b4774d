import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StackInfo } from '@understudy/stack';
import { asSource, asTarget, createTestDatabase, describeUnless, waitFor } from '@understudy/testing';

import { INSIDE, startHardened } from './support/hardened-process.js';
import { removeStack, startStack } from './support/stack.js';
import { RecordingApi } from './support/sync-over-rest.js';

const CHECKOUT = join(import.meta.dirname, '../../../..');
const NOBODY = 65534;

const notPossible =
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'only root on Linux can build the environment of the unit';

describeUnless(notPossible)('an agent in the environment of its systemd unit', () => {
  let dataDir: string;
  let folder: string;
  let stack: StackInfo;
  let api: RecordingApi;
  const processes: ChildProcess[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-hardened-'));
    stack = await startStack({ dataDir });
    process.kill(stack.pids.agents[0] ?? NaN, 'SIGKILL');
    api = new RecordingApi(stack.base_url, stack.api_token);
    const known = (await api.call('GET', '/agents')).body.data?.['agents'] as { id: string }[];
    for (const { id } of known) await api.call('DELETE', `/agents/${id}`);
    folder = join(dataDir, 'hardened');
    mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 });
    chownSync(join(folder, 'state'), NOBODY, NOBODY);
    chownSync(folder, NOBODY, NOBODY);
    const created = await api.call('POST', '/agents/enrolment-tokens', {});
    give('enrolment-token', `${String(created.body.data?.['token'])}\n`);
    give('policy.yaml', readFileSync(join(dataDir, 'agent/policy.yaml'), 'utf8'));
    give(
      'agent.env',
      [
        `UNDERSTUDY_CONTROL_URL=${stack.base_url}`,
        `UNDERSTUDY_AGENT_STATE_DIR=${INSIDE.state}`,
        `UNDERSTUDY_AGENT_POLICY_FILE=${INSIDE.folder}/policy.yaml`,
        `UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE=${INSIDE.folder}/enrolment-token`,
      ].join('\n'),
    );
  });

  afterAll(async () => {
    for (const child of processes.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await removeStack(dataDir);
  });

  /** Writes a file as the installation does: root writes it, and the group of the agent reads it. */
  function give(name: string, content: string): void {
    writeFileSync(join(folder, name), content, { mode: 0o640 });
    chownSync(join(folder, name), 0, NOBODY);
  }

  function run(command: string): { child: ChildProcess; output: () => string } {
    let text = '';
    const program = `${INSIDE.checkout}/apps/agent/dist/bundle/cli.js`;
    const args = [program, '--config', `${INSIDE.folder}/agent.env`, command];
    const child = startHardened({ checkout: CHECKOUT, folder, args, env: {} });
    processes.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => (text += bytes.toString()));
    return { child, output: () => text };
  }

  it('enrols, and copies a table that does not exist on the target', async () => {
    const { child, output } = run('start');
    await waitFor('the agent to connect', async () => {
      if (child.exitCode !== null) throw new Error(output());
      return output().includes('connected as agt_');
    });
    const rows =
      'CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t SELECT i, i::text FROM generate_series(1, 1000) i';
    const source = await createTestDatabase(stack.databases_admin_url, rows);
    const target = await createTestDatabase(stack.databases_admin_url);
    const job = await api.sync({
      ...{ source: await asSource(source), target: await asTarget(target) },
      tables: [{ name: 't', columns: { name: { generator: 'en_US/first_names' } } }],
    });
    expect(job.warnings).toEqual([]);
    expect({ error: job.error, status: job.status }).toEqual({ error: null, status: 'completed' });
    // The first reply of the control plane may come after the job, and the agent writes its status every 2 s.
    const status = await waitFor('a status with a reply', async () => {
      const { child: command, output: text } = run('status');
      const [code] = (await once(command, 'close')) as [number | null];
      return code === 0 && text();
    });
    expect(status).toContain('link        connected since');
  });

  it('exits with 78 and a sentence if its state folder belongs to another user', async () => {
    const state = join(folder, 'state');
    rmSync(state, { recursive: true });
    mkdirSync(state, { mode: 0o700 });
    const { child, output } = run('start');
    expect(await once(child, 'exit')).toEqual([78, null]);
    expect(output()).toContain('UNDERSTUDY_AGENT_STATE_DIR');
    expect(output()).toContain('is not accessible to this user');
    expect(output()).not.toContain('    at ');
  });
});
