import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FailureCode } from '@understudy/agent-protocol/schema';
import {
  describeUnless,
  SmallDisk,
  startTestServices,
  waitFor,
  type TestServices,
} from '@understudy/testing';

import { TestControlPlane } from './link-control-plane.js';
import { SupervisedAgent } from './supervised-agent.js';

// Uses a real nats-server, the agent's process and a file system of 1 MB. The control plane is simulated.
/** Skips the tests if this process cannot mount a file system. */

const ERROR = 50;
const FATAL = 60;

describeUnless(SmallDisk.whyNotPossible())('an agent with a full disk', () => {
  let folder: string;
  let state: string;
  let services: TestServices;
  let silent: Server;
  let disk: SmallDisk;
  let plane: TestControlPlane;
  let agent: SupervisedAgent;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-disk-'));
    state = join(folder, 'state');
    services = await startTestServices({ nats: true });
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    silent.close();
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await agent.stop();
    await plane.wipeStreams();
    await plane.stop();
    disk.unmount();
  });

  async function start({ size = '1m', floorMb = 0 } = {}): Promise<void> {
    const mounted = SmallDisk.mount(state, size);
    if (mounted === undefined) throw new Error('the file system was mounted before');
    disk = mounted;
    plane = await TestControlPlane.start(services);
    const policyFile = join(folder, 'policy.yaml');
    const url = `postgresql://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/d`;
    writeFileSync(
      policyFile,
      `databases:\n  silent: {url: "${url}", roles: [source]}\n  silent_target: {url: "${url}e", roles: [target]}`,
    );
    agent = new SupervisedAgent({
      UNDERSTUDY_AGENT_STATE_DIR: state,
      UNDERSTUDY_AGENT_POLICY_FILE: policyFile,
      UNDERSTUDY_CONTROL_URL: plane.url,
      UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'one-time',
      UNDERSTUDY_AGENT_JOURNAL_MAX_MB: '1',
      UNDERSTUDY_AGENT_MAX_JOBS: '2',
      UNDERSTUDY_AGENT_MIN_FREE_DISK_MB: String(floorMb),
    });
    await waitFor('a heartbeat', async () => plane.beats.length > 0);
  }

  const ended = (jobId: string) =>
    waitFor(`the end of ${jobId}`, async () => plane.reported(jobId).includes('failed'));
  const beatsAgain = async () => {
    const before = plane.beats.length;
    await waitFor('two more heartbeats', async () => plane.beats.length >= before + 2);
  };

  it('logs an error for each heartbeat that it cannot record and sends heartbeats again when there is room', async () => {
    await start();
    const { pid } = agent;
    disk.fill();
    await waitFor('an error', async () =>
      agent.logged(ERROR).some((line) => line.startsWith('the heartbeat could not be sent: the journal')),
    );
    disk.free();
    await beatsAgain();
    expect([agent.pid, agent.exits]).toEqual([pid, []]);
  });

  it('exits with an error if it cannot record an event, and loses no event and reuses no number after a restart', async () => {
    await start();
    await plane.send('job_open', { source: 'silent', target: 'silent_target' });
    await waitFor('a heartbeat that names a job', async () => plane.beats.at(-1)?.leases.length === 1);
    plane.acknowledging = false;
    await plane.send('job_before');
    await waitFor('its first event', async () => plane.reported('job_before').length > 0);
    disk.fill();
    const during = Array.from({ length: 12 }, (_, i) => `job_${i}`);
    for (const id of during) await plane.send(id);
    await waitFor('two ends of the process', async () => agent.exits.length >= 2);
    expect(new Set(agent.exits)).toEqual(new Set([1]));
    expect(agent.logged(FATAL)[0]).toMatch(/^the journal in .* cannot be written: ENOSPC/);

    disk.free();
    plane.acknowledging = true;
    await beatsAgain();
    for (const id of ['job_open', 'job_before', ...during]) {
      await ended(id);
      expect([id, ...plane.reported(id)]).toEqual([id, 'started', 'failed']);
    }
    // The connection may have failed before the process ended.
    const codes = [FailureCode.AGENT_RESTARTED, FailureCode.CONNECTION_FAILED];
    expect(codes).toContain(plane.failureCode('job_open'));
    const contents = new Map<bigint, Set<string>>();
    for (const { journalSeq, event } of plane.events) {
      const known = contents.get(journalSeq) ?? new Set();
      contents.set(
        journalSeq,
        known.add(JSON.stringify(event, (_, value: unknown) => String(value) && value)),
      );
    }
    expect([...contents.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  it('accepts no work while the free space is below its floor', async () => {
    await start({ size: '4m', floorMb: 2 });
    expect(plane.beats.at(-1)).toMatchObject({ freeSlots: 2 });
    disk.fill(1_500_000);
    await waitFor('a heartbeat without a free slot', async () => plane.beats.at(-1)?.freeSlots === 0);
    await plane.send('job_1');
    await ended('job_1');
    expect(plane.reported('job_1')).toEqual(['failed']);
    expect(plane.failureCode('job_1')).toBe(FailureCode.AGENT_DISK_LOW);
    expect(plane.beats.at(-1)?.leases).toEqual([]);

    disk.free();
    await waitFor('a heartbeat with free slots', async () => plane.beats.at(-1)?.freeSlots === 2);
    await plane.send('job_2');
    await ended('job_2');
    expect(plane.reported('job_2')).toEqual(['started', 'failed']);
    expect(plane.failureCode('job_2')).toBe(FailureCode.POLICY_DENIED);
  });
});
