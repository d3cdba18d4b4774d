import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Logger, type INestMicroservice } from '@nestjs/common';
import { FailureCode, SnapshotStoreKind, SslMode } from '@understudy/agent-protocol/schema';
import { addressedTo } from '@understudy/agent-protocol/transport';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AgentConfiguration } from '../../src/config/agent-configuration.js';
import { printEgress } from '../../src/journal/print-egress.js';
import { startAgent } from '../../src/start-agent.js';
import { AGENT_ID, TestControlPlane } from './link-control-plane.js';

// Uses a real nats-server and the agent's whole module. The control plane is simulated. The databases are
// names that the policy does not contain, and a socket that accepts connections but never responds.
let services: TestServices;
let plane: TestControlPlane;
let silent: Server;
let state: string;
let agent: INestMicroservice | undefined;

beforeAll(async () => {
  services = await startTestServices({ nats: true });
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  silent.close();
  await services.stop();
});

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'agent-'));
  const { port } = silent.address() as AddressInfo;
  await writeFile(
    join(state, 'policy.yaml'),
    `databases:
  silent: {url: "postgresql://u:p@127.0.0.1:${port}/d", roles: [source]}
  silent_target: {url: "postgresql://u:p@127.0.0.1:${port}/e", roles: [target]}`,
  );
  plane = await TestControlPlane.start(services);
  agent = await start();
});

afterEach(async () => {
  await agent?.close();
  await plane.wipeStreams().catch(() => undefined);
  await plane.stop();
  await rm(state, { recursive: true });
});

function start(): Promise<INestMicroservice> {
  const configuration = new AgentConfiguration({
    stateDir: state,
    policyFile: join(state, 'policy.yaml'),
    controlUrl: plane.url,
    enrolmentToken: 'one-time',
    logLevel: 'silent',
  });
  return startAgent(configuration, (error) => {
    throw error;
  });
}

const SILENT = { source: 'silent', target: 'silent_target' };
const ended = (jobId: string) =>
  waitFor(`the end of ${jobId}`, async () => plane.reported(jobId).includes('failed'));
const running = (jobId: string) =>
  waitFor(`a heartbeat naming ${jobId}`, async () =>
    plane.beats.some(({ leases }) => leases.some((lease) => lease.jobId === jobId)),
  );

describe('the agent', () => {
  it('runs a command, reports its end and acknowledges it to the stream', async () => {
    await plane.send('job_1');
    await ended('job_1');
    expect(plane.reported('job_1')).toEqual(['started', 'failed']);
    expect(plane.failureCode('job_1')).toBe(FailureCode.POLICY_DENIED);
    await waitFor('an empty stream', async () => (await plane.pendingCommands()) === 0);
  });

  it('runs a command once even if it is delivered several times', async () => {
    await plane.send('job_1');
    await ended('job_1');
    await plane.send('job_1');
    await plane.send('job_2');
    await ended('job_2');
    expect(plane.reported('job_1')).toEqual(['started', 'failed']);
  });

  it('does not run a command that is addressed to another agent or to no agent', async () => {
    await plane.send('job_stray', { addressee: 'agt_other' });
    await plane.send('job_stray', { addressee: null });
    await plane.send('job_mine');
    await ended('job_mine');
    expect(plane.reported('job_stray')).toEqual([]);
  });

  it('reports its version, leases and free slots every 2 s', async () => {
    await waitFor('two heartbeats', async () => plane.beats.length >= 2);
    expect(plane.beats[0]).toMatchObject({
      version: { major: 0, minor: 1, patch: 0 },
      freeSlots: 1,
      leases: [],
      offer: {
        slots: 1,
        snapshotStoreKind: SnapshotStoreKind.FOLDER,
        policy: { databases: { total: expect.any(Number) }, minSslmode: SslMode.REQUIRE },
      },
    });
    await plane.send('job_1', SILENT);
    await running('job_1');
    expect(plane.beats.at(-1)).toMatchObject({ freeSlots: 0, leases: [{ jobId: 'job_1', epoch: 1 }] });
  });

  it('logs lease_lost, and no internal error, if a lease is lost before it is confirmed', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error');
    plane.lost.add('job_1');
    await plane.send('job_1', SILENT);
    await ended('job_1');
    expect(plane.failureCode('job_1')).toBe(FailureCode.LEASE_LOST);
    expect(logged.mock.calls).toEqual([['job_1 (epoch 1) failed: lease_lost']]);
    logged.mockRestore();
  });

  it('opens no database of a command that it got under another policy or masking key', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn');
    const connected = jest.fn();
    silent.on('connection', connected);
    await waitFor('a heartbeat', async () => plane.beats.length > 0);
    const own = { source: plane.offerOf('silent'), target: plane.offerOf('silent_target') };
    const other = new Uint8Array(16).fill(1);
    const changed = [
      { ...own, source: { ...own.source, policy: other } },
      { ...own, target: { ...own.target, policy: other } },
      { ...own, target: { ...own.target, maskingKey: other } },
    ];
    for (const [index, offers] of changed.entries()) {
      await plane.send(`job_${index}`, { ...SILENT, offers });
      await ended(`job_${index}`);
      expect(plane.failureCode(`job_${index}`)).toBe(FailureCode.LEASE_LOST);
    }
    await plane.sendCleanup('job_cleanup', 'silent_target', { ...own.target, policy: other });
    await waitFor('a refused cleanup', async () =>
      logged.mock.calls.some(([text]) => String(text).startsWith('job_cleanup: refused')),
    );
    expect(connected).not.toHaveBeenCalled();
    await plane.send('job_own', { ...SILENT, offers: own });
    await waitFor('a connection', async () => connected.mock.calls.length > 0);
    silent.off('connection', connected);
    logged.mockRestore();
  });

  it('stops a job whose lease it has lost', async () => {
    await plane.send('job_1', SILENT);
    await running('job_1');
    plane.lost.add('job_1');
    await ended('job_1');
    expect(plane.failureCode('job_1')).toBe(FailureCode.LEASE_LOST);
  });

  it('stops a cancelled job before or after its start and accepts the next job', async () => {
    await plane.send('job_1', SILENT);
    await running('job_1');
    plane.cancelled.add('job_1').add('job_2');
    await ended('job_1');
    await plane.send('job_2', SILENT);
    await ended('job_2');
    expect(['job_1', 'job_2'].map((id) => plane.failureCode(id))).toEqual([
      FailureCode.CANCELLED,
      FailureCode.CANCELLED,
    ]);
    await plane.send('job_3');
    await ended('job_3');
    expect(plane.failureCode('job_3')).toBe(FailureCode.POLICY_DENIED);
  });

  it('sends the next event of a job only after the previous one is acknowledged', async () => {
    plane.acknowledging = false;
    await plane.send('job_1');
    await waitFor('the first event', async () => plane.events.length > 0);
    const [first] = plane.events;
    // The agent must ignore an acknowledgement that names no agent, and one that names another agent.
    plane.acknowledge(first?.journalSeq ?? 0n);
    plane.acknowledge(first?.journalSeq ?? 0n, addressedTo('agt_other'));
    await waitFor('its repetition', async () => plane.events.length > 1);
    expect(plane.reported('job_1')).toEqual(['started']);
    plane.acknowledging = true;
    await ended('job_1');
  });

  it('keeps unacknowledged events after a restart with a wiped JetStream store', async () => {
    plane.acknowledging = false;
    await plane.send('job_1');
    await waitFor('the first event', async () => plane.events.length > 0);
    await agent?.close();
    await plane.wipeStreams();
    await plane.makeStreams();
    plane.events.splice(0);
    plane.acknowledging = true;
    agent = await start();
    await ended('job_1');
    expect(plane.reported('job_1')).toEqual(['started', 'failed']);
  });

  it('continues to receive commands after its consumer was deleted and created again', async () => {
    await plane.send('job_1');
    await ended('job_1');
    await plane.wipeStreams();
    await plane.makeStreams();
    await plane.send('job_2');
    await ended('job_2');
  });

  it('reports a job that its shutdown interrupted as agent_restarted', async () => {
    await plane.send('job_1', SILENT);
    await running('job_1');
    await agent?.close();
    agent = undefined;
    await ended('job_1'); // the event was sent before the agent ended, and may arrive later
    expect(plane.failureCode('job_1')).toBe(FailureCode.AGENT_RESTARTED);
  });

  it('records every message in its journal before it sends the message', async () => {
    await plane.send('job_1');
    await ended('job_1');
    const lines: { kind: string; subject: string; bytes: string }[] = [];
    await printEgress(state, {
      json: true,
      write: (line) => lines.push(JSON.parse(line) as { kind: string; subject: string; bytes: string }),
    });
    expect(lines.filter(({ kind }) => kind === 'event')).toHaveLength(2);
    expect(lines.filter(({ kind }) => kind === 'heartbeat').length).toBeGreaterThan(0);
    expect(new Set(lines.map(({ subject }) => subject))).toEqual(
      new Set([`us.evt.${AGENT_ID}`, `us.beat.${AGENT_ID}`]),
    );
  });

  describe('with an uploaded model in its job', () => {
    const FILE = new Uint8Array([1, 2, 3]);
    const sha256 = new Uint8Array(createHash('sha256').update(FILE).digest());
    const hash = Buffer.from(sha256).toString('hex');
    const send = (jobId: string) =>
      plane.send(jobId, { ...SILENT, hostedModel: { id: 'custom/m', sha256, byteLength: FILE.length } });
    const cached = join('models', 'hosted', `${hash}.ngram`);

    it('fetches the file once with a signed request for the job and caches it', async () => {
      const asked: Record<string, string>[] = [];
      plane.onHostedModel = (request) => {
        asked.push(request);
        return { status: 200, file: FILE };
      };
      await send('job_1');
      const kept = await waitFor('the file', () => readFile(join(state, cached)).catch(() => undefined));
      expect(new Uint8Array(kept)).toEqual(FILE);
      plane.lost.add('job_1');
      await ended('job_1');
      await send('job_2');
      await running('job_2');
      plane.lost.add('job_2');
      await ended('job_2');
      expect(asked).toEqual([expect.objectContaining({ agent_id: AGENT_ID, job_id: 'job_1', sha256: hash })]);
    });

    it('fetches a file again if the cached one is damaged', async () => {
      await mkdir(join(state, 'models', 'hosted'), { recursive: true });
      await writeFile(join(state, cached), 'damaged');
      plane.onHostedModel = () => ({ status: 200, file: FILE });
      await send('job_1');
      await waitFor('the file', async () =>
        Buffer.from(FILE).equals(await readFile(join(state, cached)).catch(() => Buffer.of())),
      );
      plane.lost.add('job_1');
      await ended('job_1');
    });

    it('retries while the control plane is busy', async () => {
      let asked = 0;
      plane.onHostedModel = () => {
        asked += 1;
        return asked === 1 ? { status: 503 } : { status: 200, file: FILE };
      };
      await send('job_1');
      await waitFor('the file', () => readFile(join(state, cached)).catch(() => undefined));
      plane.lost.add('job_1');
      await ended('job_1');
    });

    it('connects to no database if it receives another file, a part of it or none', async () => {
      let dialled = 0;
      const count = () => (dialled += 1);
      silent.on('connection', count);
      const responses = [
        ['another file of the same length', { status: 200, file: FILE.map((byte) => byte + 1) }, 'MISMATCH'],
        ['a longer file', { status: 200, file: new Uint8Array(1_000_000) }, 'MISMATCH'],
        ['the beginning of the file', { status: 200, file: FILE.subarray(1) }, 'MISMATCH'],
        ['no file', { status: 404 }, 'MISSING'],
      ] as const;
      for (const [i, [what, response, code]] of responses.entries()) {
        plane.onHostedModel = () => response;
        await send(`job_${i}`);
        await ended(`job_${i}`);
        const found = [what, plane.failureCode(`job_${i}`), dialled];
        expect(found).toEqual([what, FailureCode[`HOSTED_MODEL_${code}`], 0]);
        await expect(readFile(join(state, cached))).rejects.toThrow('ENOENT');
      }
      silent.off('connection', count);
    });
  });

  it('erases a private model, reports that, and keeps a model that was trained after the request', async () => {
    const folder = join(state, 'models', 'private');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'old.ngram'), 'x');
    await writeFile(join(folder, 'new.ngram'), 'x');
    const asked = new Date('2026-02-01T00:00:00Z');
    await utimes(join(folder, 'old.ngram'), asked, asked);
    await plane.sendErasure('ers_1', 'old', asked);
    await plane.sendErasure('ers_2', 'new', asked);
    await plane.sendErasure('ers_3', 'unknown', asked);
    await waitFor('three results', async () => plane.erased().length === 3);
    expect(await readdir(folder)).toEqual(['new.ngram']);
    await plane.sendErasure('ers_1', 'old', asked);
    await waitFor('an empty stream', async () => (await plane.pendingCommands()) === 0);
  });

  it('reports an erasure again after a restart if the result was not acknowledged', async () => {
    plane.acknowledging = false;
    await plane.sendErasure('ers_1', 'gone', new Date());
    await waitFor('the first result', async () => plane.erased().length === 1);
    await agent?.close();
    plane.events.splice(0);
    plane.acknowledging = true;
    agent = await start();
    await waitFor('the repeated result', async () => plane.erased().includes('ers_1'));
  });

  it('renews its credential soon after its clock, an hour ahead during a refusal, was corrected', async () => {
    await agent?.close();
    plane.credentialSeconds = 4;
    agent = await start();
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    const failed = new Promise<void>((resolve) => {
      jest.spyOn(Logger.prototype, 'error').mockImplementationOnce(() => resolve());
    });
    plane.refusingClock = () => new Date(now());
    await failed;
    const { issued } = plane;
    plane.refusingClock = undefined;
    clock.mockRestore();
    await waitFor('a renewal', async () => plane.issued > issued);
  });

  it('needs no enrolment token at its second start', async () => {
    await agent?.close();
    const before = await readFile(join(state, 'identity.json'), 'utf8');
    agent = await start();
    expect(await readFile(join(state, 'identity.json'), 'utf8')).toBe(before);
  });
});
