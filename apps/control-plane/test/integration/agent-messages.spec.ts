import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { jetstream, type ConsumerInfo } from '@nats-io/jetstream';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import {
  CommandSchema,
  EventAcknowledgementSchema,
  EventSchema,
  HeartbeatReplySchema,
  HeartbeatSchema,
} from '@understudy/contract';
import { addressedTo } from '@understudy/jetstream-transport';
import { waitFor } from '@understudy/testing';

import { AgentLinkService } from '../../src/agent-link/agent-link.service.js';
import { AgentTrustService } from '../../src/agent-link/agent-trust.service.js';
import { startControlPlane, type ControlPlane } from './start-control-plane.js';

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
  await plane.app.get(AgentLinkService).ensureAgentConsumer(agentId); // as enrolment does
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
  const message = toBinary(HeartbeatSchema, create(HeartbeatSchema, { version, freeSlots: 1, leases }));
  const reply = await agent.request(`us.beat.${agentId}`, message, {
    timeout: 5_000,
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

describe('over NATS', () => {
  it('a heartbeat brings the job, and an event is acknowledged once it is in Postgres', async () => {
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
    // Neither of the first two is the agent's own, and neither is acknowledged.
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

  it('a heartbeat that is not the agent’s own gets no answer', async () => {
    const answers: string[] = [];
    const inbox = `_INBOX_${agentId}.strays`;
    agent.subscribe(inbox, { callback: (_, message) => void answers.push(message.string()) });
    agent.publish(`us.beat.${agentId}`, '', { reply: inbox });
    agent.publish(`us.beat.${agentId}`, '', { reply: inbox, headers: addressedTo('agt_other') });
    await beat([]); // sent after them, and answered
    expect(answers).toEqual([]);
  });
});
