import type { Command, RunSyncJob } from '@understudy/agent-protocol/schema';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { WorkDispatcher } from '../../../src/agents/agent-work/leases/work-dispatcher.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { startFakeAgent, type FakeAgent } from '../harness/fake-agent.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { testOffer } from '../harness/test-offer.js';

const GRACE_SECONDS = 600;
const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

interface Job {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly agent_id: string | null;
  readonly error: { code: string } | null;
  readonly warnings: { code: string }[];
  readonly link: {
    last_heard_at: string | null;
    grace_period_seconds: number;
    held_until: string;
    snapshot_taken_at: string | null;
  } | null;
  readonly cancel_requested_at: string | null;
}

let plane: ControlPlane;

beforeAll(async () => {
  // Only the tests reclaim leases and send commands again.
  plane = await startControlPlane({
    syncJobs: { graceSeconds: GRACE_SECONDS, reconcileMs: 3_600_000, relayMs: 100, resendMs: 1 },
  });
});
afterAll(() => plane?.stop());

const agents: FakeAgent[] = [];
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop()));
});

/** Creates an organisation without agents. */
async function organization() {
  const orgId = await plane.addOrganization();
  const { token } = await plane.addToken({ orgId });
  const call = async (method: string, path: string, body?: object) => {
    const response = await plane.request(`/v1/sync/jobs${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body }),
    });
    const { data, error } = response.body as unknown as { data: Job; error?: { code: string } };
    return { status: response.status, data, code: error?.code };
  };
  return {
    token,
    call,
    post: async () => (await call('POST', '', JOB)).data.id,
    get: async (id: string) => (await call('GET', `/${id}`)).data,
    release: (id: string) => call('POST', `/${id}/release`, {}),
    agent: async () => {
      const agent = await startFakeAgent(plane, { orgId });
      agents.push(agent);
      await agent.beat();
      return agent;
    },
    /** Makes an agent look like one that has not been heard for an hour. */
    silence: (agent: FakeAgent) =>
      plane.query("UPDATE agents SET last_seen_at = now() - interval '1 hour' WHERE id = $1", [agent.id]),
  };
}

function jobIn(command: Command['command']): RunSyncJob {
  if (command.case !== 'runSyncJob') throw new Error(`expected a sync job and got ${String(command.case)}`);
  return command.value;
}
const nextJob = async (agent: FakeAgent) => jobIn(await agent.nextCommand());
const reclaim = () => plane.app.get(WorkLeasesService, { strict: false }).reclaimExpired();
const expire = (id: string) =>
  plane.query("UPDATE sync_jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1", [id]);
const secondsLeft = async (id: string) => {
  const [row] = await plane.query(
    'SELECT extract(epoch FROM lease_expires_at - now())::integer AS left FROM sync_jobs WHERE id = $1',
    [id],
  );
  return Number(row?.['left']);
};
/** Sends unconfirmed commands again. Returns the grace period in each command for the job. */
async function sentAgain(id: string): Promise<number[]> {
  const send = jest.spyOn(plane.app.get(AgentLinkService), 'send');
  await plane.app.get(WorkDispatcher, { strict: false }).resendUnconfirmed();
  const commands = send.mock.calls.flatMap(([, { pattern, data }]) =>
    pattern === 'run_sync_job' && data.jobId === id ? [data] : [],
  );
  send.mockRestore();
  return commands.map(({ graceSeconds }) => graceSeconds);
}
const report = (agent: FakeAgent, id: string, seq: number, type: 'started' | 'completed', epoch = 1) =>
  agent.report({ case: 'syncJob', value: { jobId: id, epoch, seq, event: { case: type, value: {} } } });

describe('the grace period of a job', () => {
  it('is the setting if no other agent could run the job, and each command for the lease contains it', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    expect((await nextJob(agent)).gracePeriodSeconds).toBe(GRACE_SECONDS);
    await org.agent(); // an agent that enrols later changes nothing
    expect(await sentAgain(id)).toEqual([GRACE_SECONDS]);
    expect((await org.get(id)).link).toMatchObject({ grace_period_seconds: GRACE_SECONDS });
  });

  it('is 0 if another agent could run the job, even if that agent has no free slot', async () => {
    const org = await organization();
    const [agent, other] = [await org.agent(), await org.agent()];
    other.freeSlots = 0;
    await other.beat();
    await org.post();
    expect((await nextJob(agent)).gracePeriodSeconds).toBe(0);
  });

  it('is the setting if the other agent has a different masking key', async () => {
    const org = await organization();
    const [agent, other] = [await org.agent(), await org.agent()];
    other.offer = { ...testOffer(), maskingKey: 'f'.repeat(32) };
    other.freeSlots = 0;
    await other.beat();
    const { status, data } = await org.call('POST', '', { ...JOB, agent: { id: agent.id } });
    expect([status, data.status]).toEqual([201, 'pending']);
    expect((await nextJob(agent)).gracePeriodSeconds).toBe(GRACE_SECONDS);
  });

  it('begins with the first heartbeat that names the lease, and again with each further one', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    expect(await secondsLeft(id)).toBeLessThanOrEqual(45);
    for (let beats = 0; beats < 2; beats++) {
      await agent.beat([{ jobId: id, epoch: 1 }]);
      expect(await secondsLeft(id)).toBeGreaterThan(GRACE_SECONDS);
      await plane.query("UPDATE sync_jobs SET lease_expires_at = now() + interval '1 second' WHERE id = $1", [
        id,
      ]);
    }
  });

  it('keeps the job from an agent that enrols during the cut until the period ends', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await report(agent, id, 1, 'started');
    await org.silence(agent);
    const newcomer = await org.agent();
    await reclaim();
    await newcomer.beat();
    expect(await org.get(id)).toMatchObject({ status: 'running', agent_id: agent.id });
    await expire(id);
    await reclaim();
    await newcomer.beat();
    expect(await nextJob(newcomer)).toMatchObject({ jobId: id, epoch: 2 });
    expect(await org.get(id)).toMatchObject({ attempts: 1, agent_id: newcomer.id });
    expect((await agent.beat([{ jobId: id, epoch: 1 }])).lost).toEqual([{ jobId: id, epoch: 1 }]);
  });

  it('sends no command again to an agent that has confirmed the lease and is silent', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    expect(await sentAgain(id)).toHaveLength(1);
    await org.silence(agent);
    expect(await sentAgain(id)).toEqual([]);
  });
});

describe('a job whose agent is cut off', () => {
  it('shows the last contact, the age of the snapshot and a warning', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1, snapshotAgeSeconds: 3_600 }]);
    const { link, warnings } = await org.get(id);
    expect(warnings).toEqual([]);
    const heardAt = Date.parse(link?.last_heard_at ?? '');
    expect(heardAt - Date.parse(link?.snapshot_taken_at ?? '')).toBe(3_600_000);
    expect(Date.parse(link?.held_until ?? '') - heardAt).toBe((45 + GRACE_SECONDS) * 1000);
    await plane.query("UPDATE sync_jobs SET renewed_at = renewed_at - interval '16 s' WHERE id = $1", [id]);
    expect((await org.get(id)).warnings).toMatchObject([{ code: 'agent_silent' }]);
  });

  it('shows a cancel request, and completes if its target had already been switched', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await report(agent, id, 1, 'started');
    expect((await org.get(id)).cancel_requested_at).toBeNull();
    expect(await org.call('DELETE', `/${id}`)).toMatchObject({ status: 202, data: { status: 'running' } });
    expect((await org.get(id)).cancel_requested_at).not.toBeNull();
    await report(agent, id, 2, 'completed');
    expect(await org.get(id)).toMatchObject({ status: 'completed', error: null, link: null });
  });
});

describe('POST /sync/jobs/:id/release', () => {
  it('gives the job to another agent, and ignores what the old agent reports then', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await report(agent, id, 1, 'started');
    await org.silence(agent);
    const other = await org.agent();
    expect(await org.release(id)).toMatchObject({ status: 200, data: { attempts: 0 } });
    expect(await nextJob(other)).toMatchObject({ jobId: id, epoch: 2, gracePeriodSeconds: GRACE_SECONDS });
    await report(agent, id, 2, 'completed');
    expect(await org.get(id)).toMatchObject({ status: 'running', attempts: 1, agent_id: other.id });
    const audited = await plane.query(
      "SELECT details FROM audit_entries WHERE target_id = $1 AND action = 'sync_job.released'",
      [id],
    );
    expect(audited).toEqual([{ details: { name: 'nightly', agent_id: agent.id } }]);
  });

  it('still accepts the result of the old agent as long as no other agent has the job', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await org.silence(agent);
    await org.release(id);
    await report(agent, id, 1, 'completed');
    expect(await org.get(id)).toMatchObject({ status: 'completed', attempts: 0 });
  });

  it('ends a job that has a cancel request', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await org.call('DELETE', `/${id}`);
    expect(await org.release(id)).toMatchObject({
      status: 200,
      data: { status: 'failed', error: { code: 'cancelled' } },
    });
  });

  it('returns 409 if no agent has the job', async () => {
    const org = await organization();
    const id = await org.post();
    expect(await org.release(id)).toMatchObject({ status: 409, code: 'conflict' });
    await org.call('DELETE', `/${id}`);
    expect(await org.release(id)).toMatchObject({ status: 409, code: 'conflict' });
  });
});

describe('a job whose agent is revoked', () => {
  it('goes to another agent immediately, and the attempt does not count', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await plane.request(`/v1/agents/${agent.id}`, { method: 'DELETE', token: org.token });
    expect((await agent.beat([{ jobId: id, epoch: 1 }])).revoked).toBe(true);
    await reclaim();
    expect(await org.get(id)).toMatchObject({ status: 'pending', attempts: 0, link: null });
    const other = await org.agent();
    expect(await nextJob(other)).toMatchObject({ jobId: id, epoch: 2 });
  });
});

describe('a job that its live agent does not name in heartbeats', () => {
  /** Makes the last renewal of the lease and the first heartbeat of the present contact look older. */
  const past = async (agent: FakeAgent, id: string, { renewed, contact }: Record<string, string>) => {
    await plane.query('UPDATE sync_jobs SET renewed_at = now() - $2::interval WHERE id = $1', [id, renewed]);
    await plane.query('UPDATE agents SET contact_since = now() - $2::interval WHERE id = $1', [
      agent.id,
      contact,
    ]);
  };
  const confirmed = async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await report(agent, id, 1, 'started');
    return { org, agent, id };
  };

  it('goes to an agent again after the duration of a lease, as after a restored database', async () => {
    const { org, agent, id } = await confirmed();
    await past(agent, id, { renewed: '1 hour', contact: '46 s' });
    await agent.beat();
    await reclaim();
    expect(await org.get(id)).toMatchObject({ status: 'running', attempts: 0, link: null });
    await agent.beat();
    expect(await nextJob(agent)).toMatchObject({ jobId: id, epoch: 2 });
  });

  it.each([
    { renewed: '40 s', contact: '1 hour' },
    { renewed: '1 hour', contact: '40 s' },
  ])('stays with the agent before that (%j)', async (ages) => {
    const { org, agent, id } = await confirmed();
    await past(agent, id, ages);
    await agent.beat();
    await reclaim();
    expect((await org.get(id)).link).not.toBeNull();
  });

  it('stays with an agent that was away until its journal can report the end', async () => {
    const { org, agent, id } = await confirmed();
    await past(agent, id, { renewed: '1 hour', contact: '2 hours' });
    await org.silence(agent);
    await agent.beat();
    await reclaim();
    await report(agent, id, 2, 'completed');
    expect(await org.get(id)).toMatchObject({ status: 'completed', attempts: 1 });
  });

  it('stays with an agent that has not confirmed its lease yet', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await plane.query("UPDATE agents SET contact_since = now() - interval '1 hour' WHERE id = $1", [
      agent.id,
    ]);
    await nextJob(agent);
    await agent.beat();
    await reclaim();
    expect((await org.get(id)).link).not.toBeNull();
  });
});

describe('a job whose agent has restarted without it', () => {
  /** Makes the current process of the agent one that started some seconds ago, after the lease was renewed. */
  const restarted = async (agent: FakeAgent, id: string, secondsAgo: number) => {
    await plane.query("UPDATE sync_jobs SET renewed_at = now() - interval '1 hour' WHERE id = $1", [id]);
    await plane.query("UPDATE agents SET instance_since = now() - $2 * interval '1 second' WHERE id = $1", [
      agent.id,
      secondsAgo,
    ]);
  };

  it('waits for the report of the new process for the duration of a lease, and not for the grace period', async () => {
    const org = await organization();
    const agent = await org.agent();
    const id = await org.post();
    await nextJob(agent);
    await agent.beat([{ jobId: id, epoch: 1 }]);
    await restarted(agent, id, 40);
    await reclaim();
    expect(await org.get(id)).toMatchObject({ attempts: 1, agent_id: agent.id });
    expect((await org.get(id)).link).not.toBeNull();
    await restarted(agent, id, 50);
    await reclaim();
    expect(await org.get(id)).toMatchObject({ attempts: 1, link: null });
    await agent.beat();
    expect(await nextJob(agent)).toMatchObject({ jobId: id, epoch: 2 });
    expect(await org.get(id)).toMatchObject({ attempts: 2 });
  });
});
