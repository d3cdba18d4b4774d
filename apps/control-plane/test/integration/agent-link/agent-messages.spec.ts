import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { jetstream, jetstreamManager, type ConsumerInfo } from '@nats-io/jetstream';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import {
  CommandSchema,
  EventAcknowledgementSchema,
  EventSchema,
  HeartbeatReplySchema,
  HeartbeatSchema,
} from '@understudy/agent-protocol/schema';
import { addressedTo } from '@understudy/agent-protocol/transport';
import { waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../../src/agents/agent-link/connection/agent-trust.service.js';
import { AgentTasks } from '../../../src/agents/agent-work/agent-tasks.js';
import { WorkLeasesService } from '../../../src/agents/agent-work/leases/work-leases.service.js';
import { wireOffer } from '../harness/fake-agent.js';
import { testOffer } from '../harness/test-offer.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'over the wire',
  source: { type: 'postgresql', connection_string: 'agent:a' },
  target: { type: 'postgresql', connection_string: 'agent:b' },
  tables: [{ name: 'customers' }],
};

let plane: ControlPlane;
let agentId: string;
let agent: NatsConnection;

beforeAll(async () => {
  plane = await startControlPlane();
  agentId = await plane.addAgent();
  await plane.app.get(AgentLinkService).ensureAgentConsumer(agentId); // as the enrolment does
  const user = createUser();
  const { jwt } = await plane.app.get(AgentTrustService).issue(agentId, user.getPublicKey(), new Date());
  agent = await connect({
    servers: [plane.services.natsUrl],
    inboxPrefix: `_INBOX_${agentId}`,
    authenticator: jwtAuthenticator(jwt, user.getSeed()),
  });
});
afterAll(async () => {
  await agent?.close();
  await plane?.stop();
});

const beat = async (leases: { jobId: string; epoch: number }[]) => {
  const version = { major: 0, minor: 1, patch: 0 };
  const message = toBinary(
    HeartbeatSchema,
    create(HeartbeatSchema, { version, freeSlots: 1, leases, offer: wireOffer(testOffer()) }),
  );
  const reply = await agent.request(`us.beat.${agentId}`, message, {
    timeout: 60_000,
    headers: addressedTo(agentId),
  });
  const { lostLeases, cancelledLeases } = fromBinary(HeartbeatReplySchema, reply.data);
  const refs = (named: typeof lostLeases | typeof cancelledLeases) =>
    named.map(({ jobId, epoch }) => ({ jobId, epoch }));
  return { lost: refs(lostLeases), cancelled: refs(cancelledLeases) };
};

async function nextCommand() {
  const name = `agent_${agentId}`;
  const info = { stream_name: 'COMMANDS', name, config: { durable_name: name, name } } as ConsumerInfo;
  const message = await jetstream(agent)
    .consumers.getConsumerFromInfo(info)
    .next({ bind: true, expires: 10_000 });
  message?.ack();
  return fromBinary(CommandSchema, message?.data ?? new Uint8Array()).command;
}

describe('messages over NATS', () => {
  it('reach an agent that waits for a command while the revocations of other agents are pushed', async () => {
    const command = nextCommand();
    await beat([]); // NATS has received the pull request, because the connection keeps the order
    const link = plane.app.get(AgentLinkService);
    await link.pushRevocations();
    const data = { id: 'ers_1', name: 'm', requestedAt: new Date() };
    await link.send(agentId, { pattern: 'erase_private_model', data });
    expect(await command).toMatchObject({ case: 'erasePrivateModel', value: { erasureId: 'ers_1' } });
  });

  it('start a job after a heartbeat and acknowledge an event once it is in PostgreSQL', async () => {
    const posted = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });
    const { id } = (posted.body as unknown as { data: { id: string } }).data;
    expect(await beat([{ jobId: 'job_gone', epoch: 3 }])).toEqual({
      lost: [{ jobId: 'job_gone', epoch: 3 }],
      cancelled: [],
    });
    const command = await nextCommand();
    expect(command).toMatchObject({ case: 'runSyncJob', value: { jobId: id, epoch: 1 } });
    expect(await beat([{ jobId: id, epoch: 1 }])).toEqual({ lost: [], cancelled: [] });

    const acknowledged: bigint[] = [];
    agent.subscribe(`us.ack.${agentId}`, {
      callback: (_, { data }) => {
        acknowledged.push(...fromBinary(EventAcknowledgementSchema, data).journalSeqs);
      },
    });
    await agent.flush();
    const event = create(EventSchema, {
      journalSeq: 5n,
      occurredAt: timestampFromDate(new Date()),
      event: {
        case: 'syncJob',
        value: { jobId: id, epoch: 1, seq: 1, event: { case: 'started', value: {} } },
      },
    });
    // The first two events are not the agent's own, so they are not acknowledged.
    for (const [journalSeq, headers] of [[3n], [4n, addressedTo('agt_other')]] as const)
      agent.publish(`us.evt.${agentId}`, toBinary(EventSchema, { ...event, journalSeq }), { headers });
    agent.publish(`us.evt.${agentId}`, toBinary(EventSchema, event), { headers: addressedTo(agentId) });
    await waitFor('the acknowledgement', async () => acknowledged.includes(5n));
    expect(acknowledged).toEqual([5n]);
    const job = await plane.request(`/v1/sync/jobs/${id}`);
    expect(job.body).toMatchObject({ data: { status: 'running', agent_id: agentId } });
    const cancelled = await plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' });
    expect(cancelled.status).toBe(202);
    expect(await beat([{ jobId: id, epoch: 1 }])).toEqual({
      lost: [],
      cancelled: [{ jobId: id, epoch: 1 }],
    });
  });

  it('include no reply to a heartbeat that is not the agent’s own', async () => {
    const responses: string[] = [];
    const inbox = `_INBOX_${agentId}.strays`;
    agent.subscribe(inbox, { callback: (_, message) => void responses.push(message.string()) });
    agent.publish(`us.beat.${agentId}`, '', { reply: inbox });
    agent.publish(`us.beat.${agentId}`, '', { reply: inbox, headers: addressedTo('agt_other') });
    await beat([]); // sent after the ignored heartbeats, and answered
    expect(responses).toEqual([]);
  });

  it('request the cleanup of a failed job’s target until any agent has reported it', async () => {
    const posted = await plane.request('/v1/sync/jobs', { method: 'POST', body: JOB });
    const { id } = (posted.body as unknown as { data: { id: string } }).data;
    await beat([]);
    expect(await nextCommand()).toMatchObject({ case: 'runSyncJob', value: { jobId: id, epoch: 1 } });
    const pending = () => plane.query('SELECT sent_at FROM target_clearances WHERE job_id = $1', [id]);
    expect((await plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' })).status).toBe(202);
    expect(await pending()).toEqual([]);
    // The lease expires, as if the agent that holds it never returned.
    await plane.query("UPDATE sync_jobs SET lease_expires_at = now() - interval '1 minute' WHERE id = $1", [
      id,
    ]);
    await plane.app.get(WorkLeasesService).reclaimExpired();
    expect(await pending()).toHaveLength(1);
    // Older cleanups that no agent here can decrypt do not delay this one.
    await plane.query(
      `INSERT INTO target_clearances (job_id, organization_id, epoch, target, requested_at)
       SELECT 'job_' || n, $1, 2, '{"kind": "sealed", "by_agent": {}}', now() - interval '1 hour' FROM generate_series(1, 200) AS n`,
      [plane.orgId],
    );
    await beat([]); // marks the agent as live
    const clearing = await nextCommand();
    expect(clearing).toMatchObject({
      case: 'clearOfferedSyncTarget',
      value: { jobId: id, epoch: 2, target: { reference: { case: 'agentDatabase', value: 'b' } } },
    });
    // The job is deleted before an agent has reported the cleanup. The command is sent again anyway.
    expect((await plane.request(`/v1/sync/jobs/${id}`, { method: 'DELETE' })).status).toBe(200);
    await waitFor('the record of the sent command', async () => (await pending())[0]?.['sent_at']);
    await plane.query("UPDATE target_clearances SET sent_at = now() - interval '31 seconds'");
    await beat([]);
    expect(await nextCommand()).toEqual(clearing);
    const response = create(EventSchema, {
      journalSeq: 11n,
      occurredAt: timestampFromDate(new Date()),
      event: { case: 'syncTargetCleared', value: { jobId: id } },
    });
    agent.publish(`us.evt.${agentId}`, toBinary(EventSchema, response), { headers: addressedTo(agentId) });
    await waitFor('the end of the cleanup', async () => (await pending()).length === 0);
  });

  it('request the deletion of a private model until the agent has reported it', async () => {
    await plane.query(
      `INSERT INTO private_models (organization_id, name, hash, agent_id, trained_at) VALUES ($1, 'private/gone', $2, $3, now())`,
      [plane.orgId, 'a'.repeat(64), agentId],
    );
    const pending = () => plane.query('SELECT id, sent_at FROM model_erasures');
    expect((await plane.request('/v1/models/private/gone', { method: 'DELETE' })).status).toBe(200);
    const first = await nextCommand();
    expect(first).toMatchObject({ case: 'erasePrivateModel', value: { name: 'gone' } });
    const [asked] = await waitFor('the record of the sent command', async () => {
      const rows = await pending();
      return rows[0]?.['sent_at'] ? rows : undefined;
    });

    // This simulates a command that was lost with the NATS store, and an agent that reconnects.
    await jetstreamManager(await plane.app.get(AgentLinkService).connectionWhenStarted()).then((manager) =>
      manager.streams.delete('COMMANDS'),
    );
    await plane.app.get(AgentLinkService).ensureTopology();
    await plane.query("UPDATE model_erasures SET sent_at = now() - interval '4 minutes'");
    await beat([]);
    const again = await nextCommand();
    expect(again).toEqual(first);

    const event = (erasureId: string) =>
      toBinary(
        EventSchema,
        create(EventSchema, {
          journalSeq: 9n,
          occurredAt: timestampFromDate(new Date()),
          event: { case: 'privateModelErased', value: { erasureId } },
        }),
      );
    const report = (erasureId: string) =>
      agent.publish(`us.evt.${agentId}`, event(erasureId), { headers: addressedTo(agentId) });
    report('ers_of_nobody');
    report(String(asked?.['id']));
    report(String(asked?.['id']));
    await waitFor('the end of the erasure', async () => (await pending()).length === 0);
  });

  it('send a task even if another task cannot be read or sent', async () => {
    const tasks = plane.app.get(AgentTasks, { strict: false });
    const fail = async () => Promise.reject(new Error('planted fault'));
    const sent: number[] = [];
    tasks.register({ due: fail, send: fail });
    tasks.register({ due: async () => [1], send: fail });
    tasks.register({
      due: async (limit) => (sent.length === 0 ? [1, 2, 3].slice(0, limit) : []),
      send: async (one: number) => (one === 1 ? fail() : void sent.push(one)),
    });
    tasks.wake();
    await waitFor('the commands of the other tasks', async () => sent.length === 2);
    expect(sent).toEqual([2, 3]);
  });
});
