import { jetstream, jetstreamManager, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/nats-core';
import { COMMAND_ACK_WAIT_MS } from '@understudy/agent-protocol/transport';
import { trustedUser } from '@understudy/agent-protocol/nats-trust';
import { connectNats, Outbound } from '@understudy/outbound';
import { startTestServices, type TestServices } from '@understudy/testing';

import { AgentLinkUnavailableError } from '../../../src/agents/agent-link/connection/nats-connections.js';
import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { ensureStreams } from '../../../src/agents/agent-link/connection/streams.js';
import { DEFAULTS } from '../../../src/platform/config/configuration.js';
import { testConfiguration } from './agent-link-configuration.js';

const A = 'agt_01AAAAAAAAAAAAAAAAAAAAAAAA';
const B = 'agt_01BBBBBBBBBBBBBBBBBBBBBBBB';
const LIMITS = { ...DEFAULTS.agentLink, eventsPerAgent: 5, commandsMaxBytes: 4_096 };

let services: TestServices;
let link: AgentLinkService;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  services = await startTestServices({ nats: true });
  connection = await connectNats(new Outbound(), {
    urls: [services.natsUrl],
    name: 'test',
    authenticator: await trustedUser('test', services.natsSeeds.account),
  });
  manager = await jetstreamManager(connection);
  // These are the settings of the previous version.
  const before = { retention: 'workqueue', discard: 'old', storage: 'file', num_replicas: 1 } as const;
  await manager.streams.add({ ...before, name: 'COMMANDS', subjects: ['us.cmd.>'], max_age: 600e9 });
  await manager.streams.add({ ...before, name: 'EVENTS', subjects: ['us.evt.>'], max_age: 3600e9 });
  await manager.consumers.add('EVENTS', {
    durable_name: 'control_plane',
    filter_subject: 'us.evt.>',
    ack_policy: 'explicit',
    deliver_policy: 'all',
    ack_wait: 30e9,
    max_ack_pending: 64,
    max_deliver: -1,
  });
  await manager.consumers.add('COMMANDS', {
    durable_name: `agent_${A}`,
    filter_subject: `us.cmd.${A}`,
    ack_policy: 'explicit',
    ack_wait: 30e9,
  });
  link = new AgentLinkService(testConfiguration(services, '', { agentLink: LIMITS }), new Outbound());
  // The first id is not valid for a consumer.
  link.useDirectory({
    enrolledAgentIds: async () => ['not an id', A, B],
    withRevokedKeys: (use) => use(new Map()),
  });
  await link.start();
});

afterAll(async () => {
  await connection.close();
  await link.onApplicationShutdown();
  await services.stop();
});

it('updates streams and consumers of an older version at start', async () => {
  expect((await manager.streams.info('EVENTS')).config).toMatchObject({
    discard: 'new',
    discard_new_per_subject: true,
    max_msgs_per_subject: 5,
    max_bytes: LIMITS.eventsMaxBytes,
    num_replicas: 1,
  });
  expect((await manager.streams.info('COMMANDS')).config).toMatchObject({ discard: 'new', max_bytes: 4_096 });
  expect((await manager.consumers.info('EVENTS', 'control_plane')).config).toMatchObject({
    max_ack_pending: -1,
    max_deliver: -1,
  });
  expect((await manager.consumers.info('COMMANDS', `agent_${A}`)).config).toMatchObject({
    ack_wait: nanos(COMMAND_ACK_WAIT_MS),
    max_ack_pending: 16,
  });
});

it('creates the consumers of all other agents if one cannot be created', async () => {
  for (const agentId of [A, B])
    expect((await manager.consumers.info('COMMANDS', `agent_${agentId}`)).name).toBe(`agent_${agentId}`);
});

it('limits the messages of each agent and accepts more when one is acknowledged', async () => {
  const js = jetstream(connection);
  for (let sent = 0; sent < 5; sent += 1) await js.publish(`us.evt.${A}`, 'x');
  await expect(js.publish(`us.evt.${A}`, 'x')).rejects.toThrow('maximum messages per subject exceeded');
  await js.publish(`us.evt.${B}`, 'x');
  const message = await (await js.consumers.get('EVENTS', 'control_plane')).next({ expires: 10_000 });
  await message?.ackAck();
  await js.publish(`us.evt.${A}`, 'x');
});

it('reports a full stream to the sender of a command and keeps every accepted command', async () => {
  const erasure = { id: 'ers_', name: 'n'.repeat(500), requestedAt: new Date() };
  let taken = 0;
  const sendMany = async () => {
    for (; taken < 100; taken += 1)
      await link.send(A, { pattern: 'erase_private_model', data: { ...erasure, id: `ers_${taken}` } });
  };
  await expect(sendMany()).rejects.toThrow(AgentLinkUnavailableError);
  expect(taken).toBeGreaterThan(2);
  expect((await manager.streams.info('COMMANDS')).state.messages).toBe(taken);
});

it('reports a command that cannot be encoded as what it is, and not as an outage of NATS', async () => {
  const requestedAt = new Date(Number.NaN);
  const sent = link.send(A, {
    pattern: 'erase_private_model',
    data: { id: 'ers_1', name: 'n', requestedAt },
  });
  await expect(sent).rejects.not.toThrow(AgentLinkUnavailableError);
});

it('requests the configured number of replicas for both streams', async () => {
  const asked: Record<string, unknown>[] = [];
  // A server without a cluster keeps one replica, so the test records the requested number.
  const recorder = {
    streams: { add: async ({ name, num_replicas }: StreamConfig) => asked.push({ name, num_replicas }) },
    consumers: { add: async () => undefined },
  } as unknown as JetStreamManager;
  await ensureStreams(recorder, { ...LIMITS, streamReplicas: 3 });
  expect(asked).toEqual([
    { name: 'COMMANDS', num_replicas: 3 },
    { name: 'EVENTS', num_replicas: 3 },
  ]);
});
