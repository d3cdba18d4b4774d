import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../dist/bundle/main.js');

describe('the start of an agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-agent-start-'));
  let control: Server;
  beforeAll(async () => {
    // The control plane never responds, so only the policy can end the agent.
    control = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(control, 'listening');
  });
  afterAll(() => {
    control.closeAllConnections();
    control.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('fails and names the database if the policy does not confirm that snapshots contain protected columns', async () => {
    const policyFile = join(folder, 'policy.yaml');
    writeFileSync(
      policyFile,
      `never_preserve: ['*.customers.email']
databases: { shop: { url: "postgres://u:hunter2@127.0.0.1/shop", roles: [snapshot] } }`,
    );
    const agent = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        UNDERSTUDY_CONTROL_URL: `http://127.0.0.1:${(control.address() as AddressInfo).port}/v1`,
        UNDERSTUDY_AGENT_STATE_DIR: join(folder, 'state'),
        UNDERSTUDY_AGENT_POLICY_FILE: policyFile,
        UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'unused',
      },
    });
    let log = '';
    agent.stdout.on('data', (bytes: Buffer) => (log += bytes.toString()));
    agent.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()));
    const [code] = (await once(agent, 'close')) as [number | null];
    expect(code).toBe(78);
    expect(log).toContain('databases.shop: the role snapshot');
    expect(log).toContain('snapshots_hold_originals: true');
    expect(log).not.toContain('hunter2');
  });
});
