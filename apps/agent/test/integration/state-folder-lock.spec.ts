import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { waitFor } from '@understudy/testing';

const MAIN = join(import.meta.dirname, '../../dist/bundle/main.js');

/** A process of the agent's program. Nothing listens at its control URL, so it waits in the enrolment. */
class AgentProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  log = '';

  constructor(folder: string) {
    this.child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        UNDERSTUDY_CONTROL_URL: 'http://127.0.0.1:9/v1',
        UNDERSTUDY_AGENT_STATE_DIR: join(folder, 'state'),
        UNDERSTUDY_AGENT_POLICY_FILE: join(folder, 'policy.yaml'),
        UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'unused',
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (bytes: Buffer) => (this.log += bytes.toString()));
    this.exit = once(this.child, 'close');
  }

  /** Resolves when the agent has locked its state folder and asks the control plane for an identity. */
  async started(): Promise<void> {
    await waitFor('an attempt to enrol', async () => this.log.includes('is not enrolled yet'));
  }
}

describe('two agents with one state folder', () => {
  let folder: string;
  let agents: AgentProcess[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-agent-lock-'));
    agents = [];
    writeFileSync(
      join(folder, 'policy.yaml'),
      'databases: { a: { url: "postgres://u@127.0.0.1/a", roles: [source] } }',
    );
  });
  afterEach(async () => {
    for (const { child, exit } of agents) {
      child.kill('SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  function start(): AgentProcess {
    const agent = new AgentProcess(folder);
    agents.push(agent);
    return agent;
  }

  async function isRefused(by: AgentProcess): Promise<void> {
    const journal = () => readdirSync(join(folder, 'state', 'journal'));
    const before = journal();
    const second = start();
    const [code] = await second.exit;
    expect([code, second.log.trim().split('\n').length]).toEqual([75, 1]);
    expect(second.log).toContain('another agent uses the state folder in UNDERSTUDY_AGENT_STATE_DIR');
    expect(second.log).toContain(`process ${by.child.pid} on `);
    expect(journal()).toEqual(before);
  }

  it('refuses the second process, also while the first is suspended, and starts it after the first was killed', async () => {
    const first = start();
    await first.started();
    await isRefused(first);
    first.child.kill('SIGSTOP');
    await isRefused(first);
    first.child.kill('SIGKILL');
    await first.exit;
    await start().started();
  });

  it.each([
    [
      'while it starts',
      async () => waitFor('the journal', async () => existsSync(join(folder, 'state', 'journal'))),
    ],
    ['after its start', (agent: AgentProcess) => agent.started()],
  ])('ends the process if its folder is moved away %s', async (_, isDue) => {
    const first = start();
    await isDue(first);
    renameSync(join(folder, 'state'), join(folder, 'backup'));
    const [code] = await first.exit;
    expect(code).toBe(75);
    expect(first.log).toContain('stop the agent before you change the folder');
  });
});
