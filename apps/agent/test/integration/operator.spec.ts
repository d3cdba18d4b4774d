import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FailureCode } from '@understudy/agent-protocol/schema';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AGENT_ID, TestControlPlane } from './link-control-plane.js';
import { SupervisedAgent } from './supervised-agent.js';

const CLI = join(import.meta.dirname, '../../dist/bundle/cli.js');
const WARN = 40;

// Uses a real nats-server, the agent's process and its command line. The control plane is simulated, and the databases
// are a socket that accepts connections but never responds.
let folder: string;
let services: TestServices;
let silent: Server;
let plane: TestControlPlane;
let agent: SupervisedAgent;
let state: string;
/** The status that an agent left behind when it was killed. */
let killed: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-operator-'));
  state = join(folder, 'state');
  services = await startTestServices({ nats: true });
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `postgresql://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/d`;
  writeFileSync(
    join(folder, 'policy.yaml'),
    `databases:\n  silent: {url: "${url}", roles: [source]}\n  silent_target: {url: "${url}e", roles: [target]}`,
  );
  plane = await TestControlPlane.start(services);
  agent = start();
  await waitFor('a heartbeat', async () => plane.beats.length > 0);
  const { pid } = agent;
  process.kill(pid ?? NaN, 'SIGKILL');
  killed = readFileSync(join(state, 'status.json'));
  await waitFor('another process', async () => agent.pid !== pid);
  const before = plane.beats.length;
  await waitFor('its heartbeat', async () => plane.beats.length > before);
});

afterAll(async () => {
  await agent.stop();
  await plane.stop();
  silent.close();
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(): SupervisedAgent {
  return new SupervisedAgent({
    UNDERSTUDY_AGENT_STATE_DIR: state,
    UNDERSTUDY_AGENT_POLICY_FILE: join(folder, 'policy.yaml'),
    UNDERSTUDY_CONTROL_URL: plane.url,
    UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'one-time',
    UNDERSTUDY_AGENT_MAX_JOBS: '2',
  });
}

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], UNDERSTUDY_AGENT_STATE_DIR: state };
    execFile(process.execPath, [CLI, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const running = (jobId: string) =>
  waitFor(`a heartbeat naming ${jobId}`, async () =>
    plane.beats.some(({ leases }) => leases.some((lease) => lease.jobId === jobId)),
  );
const ended = (jobId: string) =>
  waitFor(`the end of ${jobId}`, async () => plane.reported(jobId).includes('failed'));
/** Waits until the agent has written a status with the text. */
const written = (text: string) =>
  waitFor(`a status with ${text}`, async () => {
    const file = join(state, 'status.json');
    return existsSync(file) && readFileSync(file, 'utf8').includes(text);
  });
const SILENT = { source: 'silent', target: 'silent_target' };

describe('understudy-agent status', () => {
  it('prints the connection, the credential and the jobs of a connected agent and exits with 0', async () => {
    await plane.send('job_shown', SILENT);
    await running('job_shown');
    await written('job_shown');
    const { out } = await run('status');
    expect(out).toContain(`${AGENT_ID}, version 0.1.0, process ${agent.pid}`);
    expect(out).toMatch(/^link +connected since 20.*Z \(\d+ s\)$/m);
    expect(out).toMatch(/^last reply +20.*Z \(\d+ s ago\)$/m);
    expect(out).toMatch(/^credential +valid until 20/m);
    expect(out).toMatch(/^slots +1 of 2 free$/m);
    expect(out).toMatch(/^job +job_shown \(epoch 1\), since 20/m);
    const json = await run('status', '--json');
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({
      health: 'connected',
      agent_id: AGENT_ID,
      jobs: [{ id: 'job_shown', epoch: 1 }],
    });
    plane.lost.add('job_shown');
    await ended('job_shown');
  });

  it('reads a file that only its owner may read and that holds no secret', async () => {
    const file = statSync(join(state, 'status.json'));
    expect(file.mode & 0o777).toBe(0o600);
    const { out } = await run('status', '--json');
    for (const secret of ['one-time', 'SU', 'eyJ', 'postgresql:']) expect(out).not.toContain(secret);
  });

  it('needs only the state folder and reports a missing variable with exit code 78', async () => {
    const { code, err } = await new Promise<{ code: number; err: string }>((resolve) => {
      execFile(process.execPath, [CLI, 'status'], { env: {} }, (error, _, err) => {
        resolve({ code: Number(error?.code), err });
      });
    });
    expect([code, err]).toEqual([
      78,
      'The state folder is not known:\n  - UNDERSTUDY_AGENT_STATE_DIR is not set\n',
    ]);
  });
});

describe('understudy-agent cancel', () => {
  it('stops a job and reports it to the control plane as cancelled', async () => {
    await plane.send('job_1', SILENT);
    await running('job_1');
    expect(await run('cancel', 'job_1')).toEqual({
      code: 0,
      out: 'job_1 is cancelled. Its target is as it was before.\n',
      err: expect.anything(),
    });
    await ended('job_1');
    expect(plane.failureCode('job_1')).toBe(FailureCode.CANCELLED);
  });

  it('stops a job while the link is down, and reports it when the link is back', async () => {
    await plane.send('job_2', SILENT);
    await running('job_2');
    process.kill(services.pids.nats ?? NaN, 'SIGSTOP');
    try {
      const { code, out } = await run('cancel', 'job_2', '--json');
      expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ outcome: 'cancelled' })]);
      expect(plane.reported('job_2')).not.toContain('failed');
    } finally {
      process.kill(services.pids.nats ?? NaN, 'SIGCONT');
    }
    await ended('job_2');
    expect(plane.failureCode('job_2')).toBe(FailureCode.CANCELLED);
  });

  it('exits with 1 for a job that does not run here, and with 64 for an invalid id', async () => {
    const unknown = await run('cancel', 'job_unknown');
    expect([unknown.code, unknown.out]).toEqual([
      1,
      'job_unknown does not run on this agent. "understudy-agent status" lists the jobs that run.\n',
    ]);
    const invalid = await run('cancel', '../job_1');
    expect([invalid.code, invalid.err]).toEqual([64, expect.stringContaining('Expected an id such as job_')]);
  });

  it('ignores hostile files among the requests, logs each once and serves other requests', async () => {
    const requests = join(state, 'requests');
    const named = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000.request`;
    mkdirSync(join(requests, named('1')));
    symlinkSync('/etc/hostname', join(requests, named('2')));
    writeFileSync(join(requests, named('3')), '{"cancel": "../../etc"}');
    writeFileSync(join(requests, named('4')), 'x'.repeat(2_000));
    writeFileSync(join(requests, 'notes.txt'), '');
    await plane.send('job_3', SILENT);
    await running('job_3');
    expect(await run('cancel', 'job_3')).toMatchObject({ code: 0 });
    await ended('job_3');
    const warnings = agent.logged(WARN).filter((line) => line.startsWith('ignored a file'));
    expect(warnings).toHaveLength(5);
    expect(warnings).toContain(
      'ignored a file in the folder of requests: "notes.txt": expected the name of a request',
    );
    for (const name of readdirSync(requests)) rmSync(join(requests, name), { recursive: true });
  });
});

describe('understudy-agent status without a connected agent', () => {
  it('exits with 2 after the agent has stopped in order', async () => {
    await agent.stop('SIGTERM');
    expect(await run('status')).toMatchObject({
      code: 2,
      out: 'No agent runs on this state folder: it has no status.json. Start the agent, or look at its log if it is enrolling.\n',
    });
  });

  it('exits with 1 and names the cause if the agent cannot connect', async () => {
    process.kill(services.pids.nats ?? NaN, 'SIGKILL');
    agent = start();
    await written('refused');
    const { code, out } = await run('status');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^link +not connected since 20.*: cannot reach 127\.0\.0\.1:\d+: the connection was refused/m,
    );
    expect(out).toMatch(/^last reply +none: no word from the control plane since the start/m);
  });

  it('exits with 2 if the last status is old, because the agent was killed', async () => {
    await agent.stop();
    writeFileSync(join(state, 'status.json'), killed);
    const { out } = await waitFor('the status to be outdated', async () => {
      const result = await run('status');
      return result.code === 2 && result;
    });
    expect(out).toMatch(
      /^No agent runs on this state folder: the last status is \d+ s old\. Start the agent/,
    );
    expect(out).toContain(AGENT_ID);
    expect(await run('cancel', 'job_1')).toMatchObject({
      code: 2,
      out: expect.stringContaining('No agent runs on this state folder, so nothing was cancelled.'),
    });
  });
});
