import { jetstream, jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import {
  jwtAuthenticator,
  PermissionViolationError,
  type NatsConnection,
  type Status,
} from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import {
  addressedTo,
  agentPermissions,
  commandSubject,
  isAddressedTo,
} from '@understudy/agent-protocol/transport';
import { AGENT_CONNECTION_LIMITS } from '@understudy/agent-protocol/nats-trust';
import { Outbound } from '@understudy/outbound';
import { startTestServices, type TestServices } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../../src/agents/agent-link/connection/agent-trust.service.js';
import { testConfiguration } from './agent-link-configuration.js';

let services: TestServices;
let link: AgentLinkService;
let trust: AgentTrustService;
const open: NatsConnection[] = [];
const revoked = new Map<string, number>();

const A = 'agt_01AAAAAAAAAAAAAAAAAAAAAAAA';
const B = 'agt_01BBBBBBBBBBBBBBBBBBBBBBBB';

beforeAll(async () => {
  services = await startTestServices({ nats: true });
  const configuration = testConfiguration(services);
  link = new AgentLinkService(configuration, new Outbound());
  trust = new AgentTrustService(configuration);
  link.useDirectory({ enrolledAgentIds: async () => [A, B], withRevokedKeys: (push) => push(revoked) });
  await link.start();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

afterAll(async () => {
  await link.onApplicationShutdown();
  await services.stop();
});

function revoke(natsPublicKey: string): Promise<void> {
  revoked.set(natsPublicKey, Math.ceil(Date.now() / 1000) + 3_600);
  return link.pushRevocations();
}

async function connectAgent(
  agentId: string,
  options: { reconnect?: boolean; user?: ReturnType<typeof createUser> } = {},
) {
  const user = options.user ?? createUser();
  const { jwt } = await trust.issue(agentId, user.getPublicKey(), new Date());
  const connection = await connect({
    servers: [services.natsUrl],
    inboxPrefix: `_INBOX_${agentId}`,
    authenticator: jwtAuthenticator(jwt, user.getSeed()),
    reconnect: options.reconnect ?? false,
  });
  open.push(connection);
  return { connection, user };
}

/** Performs a forbidden action and returns the permission error that the server reports. */
async function violation(connection: NatsConnection, act: () => void): Promise<PermissionViolationError> {
  const statuses = connection.status()[Symbol.asyncIterator]();
  act();
  for (;;) {
    const { value } = (await statuses.next()) as { value: Status };
    if (value.type === 'error' && value.error instanceof PermissionViolationError) return value.error;
  }
}

describe('an agent on NATS', () => {
  let agent: NatsConnection;

  beforeAll(async () => {
    agent = (await connectAgent(A)).connection;
    open.splice(0); // the connection is used for the whole table, because a refusal does not end it
  });
  afterAll(() => agent.close());

  it.each([
    ['the events of another', `us.evt.${B}`],
    ['heartbeats of another', `us.beat.${B}`],
    ['commands to itself', `us.cmd.${A}`],
    ['commands to another', `us.cmd.${B}`],
    ['acknowledgements', `us.ack.${A}`],
    ['requests to another', `us.ask.${B}`],
    ['responses of another', `us.tell.${B}`],
    ['another consumer’s pull requests', `$JS.API.CONSUMER.MSG.NEXT.COMMANDS.agent_${B}`],
    ['the control plane’s pull requests', '$JS.API.CONSUMER.MSG.NEXT.EVENTS.control_plane'],
    ['a description of its own consumer', `$JS.API.CONSUMER.INFO.COMMANDS.agent_${A}`],
    ['a new consumer', '$JS.API.CONSUMER.CREATE.COMMANDS'],
    ['a new durable', `$JS.API.CONSUMER.DURABLE.CREATE.COMMANDS.agent_${A}`],
    ['a list of streams', '$JS.API.STREAM.NAMES'],
    ['a description of a stream', '$JS.API.STREAM.INFO.COMMANDS'],
    ['a message of a stream', '$JS.API.STREAM.MSG.GET.EVENTS'],
    ['a purge', '$JS.API.STREAM.PURGE.COMMANDS'],
    ['a deletion', '$JS.API.STREAM.DELETE.EVENTS'],
    ['an acknowledgement of another’s command', `$JS.ACK.COMMANDS.agent_${B}.1.1.1.1.0`],
    ['an acknowledgement of an event', '$JS.ACK.EVENTS.control_plane.1.1.1.1.0'],
    ['account claims', '$SYS.REQ.CLAIMS.UPDATE'],
    ['anything else', 'hello'],
  ])('may not publish %s (%s)', async (_, subject) => {
    const error = await violation(agent, () => agent.publish(subject, 'x'));
    expect([error.operation, error.subject]).toEqual(['publish', subject]);
  });

  it.each([
    '>',
    '*',
    'us.>',
    'us.cmd.>',
    `us.cmd.${A}`,
    `us.cmd.${B}`,
    `us.evt.${A}`,
    `us.ack.${B}`,
    'us.ack.*',
    `us.ask.${B}`,
    'us.ask.*',
    `us.tell.${A}`,
    `us.beat.${A}`,
    `_INBOX_${B}.>`,
    '_INBOX.>',
    '_INBOX_*.>',
    '$JS.>',
    '$SYS.>',
  ])('may not subscribe to %s', async (subject) => {
    const error = await violation(agent, () => agent.subscribe(subject, { callback: () => undefined }));
    expect([error.operation, error.subject]).toEqual(['subscription', subject]);
  });

  it('may do only what its short allow-list names', async () => {
    for (const subject of agentPermissions(A).subscribe)
      agent.subscribe(subject, { callback: () => undefined });
    agent.publish(`us.evt.${A}`, new Uint8Array());
    await agent.flush();
    const { publish, subscribe } = agentPermissions(A);
    expect([publish.length, subscribe.length]).toEqual([5, 3]);
    expect(agent.isClosed()).toBe(false);
  });

  it('may hold no more subscriptions than its credential allows', async () => {
    const { connection } = await connectAgent(A);
    const refused = new Promise<string>((resolve) => {
      void (async () => {
        for await (const status of connection.status())
          if (status.type === 'error') resolve(status.error.message);
      })();
    });
    for (let held = 0; held <= AGENT_CONNECTION_LIMITS.subs; held += 1)
      connection.subscribe(`_INBOX_${A}.${held}`, { callback: () => undefined });
    expect(await refused).toMatch(/maximum subscriptions exceeded/i);
  });

  it('may send no larger message than its credential allows', async () => {
    const { connection } = await connectAgent(A);
    const subject = `us.evt.${A}`;
    connection.publish(subject, new Uint8Array(AGENT_CONNECTION_LIMITS.payload));
    await connection.flush();
    expect(() => connection.publish(subject, new Uint8Array(AGENT_CONNECTION_LIMITS.payload + 1))).toThrow();
    const closed = connection.closed();
    Reflect.set(connection.info ?? {}, 'max_payload', 2 ** 30); // simulates a client that ignores the limit
    connection.publish(subject, new Uint8Array(AGENT_CONNECTION_LIMITS.payload + 1));
    expect(await closed).toBeInstanceOf(Error);
  });

  it.each(['a.b', 'a>', '*', '', 'agt 1', 'a\r\nPUB x'])('cannot have the id %j', (id) => {
    expect(() => agentPermissions(id)).toThrow(RangeError);
  });
});

describe('a revoked agent', () => {
  it('is disconnected and cannot connect again', async () => {
    const { connection, user } = await connectAgent(A);
    const closed = connection.closed();
    await revoke(user.getPublicKey());
    await closed; // the credential itself would be valid for a quarter of an hour
    await expect(connectAgent(A, { user })).rejects.toThrow(/[Aa]uthorization/);
  });

  it('does not affect other agents', async () => {
    const { connection } = await connectAgent(B);
    await revoke(createUser().getPublicKey());
    await connection.flush();
    expect(connection.isClosed()).toBe(false);
  });
});

describe('a JWT', () => {
  it('is refused after it has expired', async () => {
    const user = createUser();
    const { jwt } = await trust.issue(A, user.getPublicKey(), new Date(Date.now() - 3_600_000));
    const refused = connect({
      servers: [services.natsUrl],
      authenticator: jwtAuthenticator(jwt, user.getSeed()),
      reconnect: false,
    });
    await expect(refused).rejects.toThrow();
  });

  it('is refused with another key', async () => {
    const { jwt } = await trust.issue(A, createUser().getPublicKey(), new Date());
    const refused = connect({
      servers: [services.natsUrl],
      authenticator: jwtAuthenticator(jwt, createUser().getSeed()),
      reconnect: false,
    });
    await expect(refused).rejects.toThrow();
  });
});

/**
 * The sender chooses the reply subject of a message, and no permission restricts this choice. The server
 * publishes its response there. Such a response must never reach another agent or a stream.
 */
describe('a reply subject that an agent chooses', () => {
  const OWN_CONSUMER = `$JS.API.CONSUMER.MSG.NEXT.COMMANDS.agent_${A}`;
  const acts: readonly (readonly [string, string, string])[] = [
    ['a pull request that is refused', OWN_CONSUMER, 'no json'],
    ['a pull request that finds nothing', OWN_CONSUMER, '{"batch":1,"no_wait":true}'],
    ['a pull request that gets a command', OWN_CONSUMER, '{"batch":1}'],
    ['an event', `us.evt.${A}`, 'an event'],
    ['an acknowledgement', `$JS.ACK.COMMANDS.agent_${A}.1.1.1.1.0`, '+ACK'],
    ['an acknowledgement that asks for the next', `$JS.ACK.COMMANDS.agent_${A}.1.1.1.1.0`, '+NXT'],
    ['a heartbeat', `us.beat.${A}`, ''],
  ];
  let control: NatsConnection;
  let manager: JetStreamManager;
  let agent: NatsConnection;
  let other: NatsConnection;
  let otherAcknowledgement = '';
  const accepted: string[] = [];

  beforeAll(async () => {
    control = await link.connectionWhenStarted();
    manager = await jetstreamManager(control);
    agent = (await connectAgent(A)).connection;
    other = (await connectAgent(B)).connection;
    open.splice(0); // kept for the whole table
    for (const subject of agentPermissions(B).subscribe)
      other.subscribe(subject, {
        callback: (_, message) => {
          if (isAddressedTo(B, message)) accepted.push(message.subject);
        },
      });
    await other.flush();
    // The server responds to every request, with any reply subject.
    control.subscribe('us.beat.*', {
      callback: (_, message) => {
        if (isAddressedTo(B, message)) accepted.push(message.subject);
        message.respond('x');
      },
    });
    await control.flush();
  });
  beforeEach(async () => {
    await link.ensureTopology();
    accepted.splice(0);
    for (const id of [A, B, B]) await command(id);
    await jetstream(control).publish(`us.evt.${A}`, 'an event');
    await takeCommandOfOther();
  });
  afterEach(async () => {
    await link.ensureTopology();
    for (const stream of ['COMMANDS', 'EVENTS']) await manager.streams.purge(stream);
  });
  afterAll(() => Promise.all([agent.close(), other.close()]));

  function command(id: string): Promise<unknown> {
    return jetstream(control).publish(commandSubject(id), 'a command', { headers: addressedTo(id) });
  }

  /**
   * Receives one of the two commands of the other agent without acknowledging it. The second command stays
   * undelivered.
   */
  async function takeCommandOfOther(): Promise<void> {
    const consumer = await jetstream(control).consumers.get('COMMANDS', `agent_${B}`);
    const taken = await consumer.next({ expires: 5_000 });
    if (taken === null) throw new Error('no command of the other agent');
    const { deliveryCount, streamSequence, deliverySequence, timestampNanos, pending } = taken.info;
    const place = [deliveryCount, streamSequence, deliverySequence, timestampNanos, pending].join('.');
    otherAcknowledgement = `$JS.ACK.COMMANDS.agent_${B}.${place}`;
  }
  /**
   * Returns everything that an agent could have changed: the streams, and the messages and consumer of the
   * other agent.
   */
  async function state() {
    const [commands, events] = await Promise.all(
      ['COMMANDS', 'EVENTS'].map((name) => manager.streams.info(name, { subjects_filter: '>' })),
    );
    const consumer = await manager.consumers.info('COMMANDS', `agent_${B}`);
    return {
      created: [commands?.created, events?.created],
      firstEvent: events?.state.first_seq,
      commandsOfOther: commands?.state.subjects?.[commandSubject(B)],
      delivered: consumer.delivered.stream_seq,
      acknowledged: consumer.ack_floor.stream_seq,
      pending: [consumer.num_ack_pending, consumer.num_pending],
    };
  }

  /** Waits until all earlier messages on the same subjects are processed. */
  async function settled(): Promise<void> {
    await agent.request(`us.evt.${A}`, 'last', { timeout: 60_000 });
    await agent.request(`us.beat.${A}`, '', { timeout: 60_000 });
    await agent.request(OWN_CONSUMER, '{"batch":1,"no_wait":true}', { timeout: 60_000 });
    await manager.streams.names().next();
    await other.flush();
  }

  it.each([
    ['delete a stream', () => '$JS.API.STREAM.DELETE.EVENTS'],
    ['empty a stream', () => '$JS.API.STREAM.PURGE.EVENTS'],
    ['delete the other stream', () => '$JS.API.STREAM.DELETE.COMMANDS'],
    ['delete a consumer', () => `$JS.API.CONSUMER.DELETE.COMMANDS.agent_${B}`],
    ['send commands to another agent', () => commandSubject(B)],
    ['send commands to itself', () => commandSubject(A)],
    ['acknowledge events of another agent', () => `us.ack.${B}`],
    ['respond to another agent', () => `_INBOX_${B}.x`],
    ['report events for another agent', () => `us.evt.${B}`],
    ['send heartbeats for another agent', () => `us.beat.${B}`],
    ['acknowledge commands of another agent', () => otherAcknowledgement],
    ['pull commands of another agent', () => `$JS.API.CONSUMER.MSG.NEXT.COMMANDS.agent_${B}`],
  ])('cannot %s', async (_, target) => {
    const before = await state();
    for (const [, subject, payload] of acts) agent.publish(subject, payload, { reply: target() });
    await settled();
    expect(await state()).toEqual(before);
    expect(accepted).toEqual([]);
    for (const event of await storedEvents())
      if (event.subject !== `us.evt.${A}`) expect(isAddressedTo(B, { headers: event.header })).toBe(false);
  });

  async function storedEvents(): Promise<StoredMsg[]> {
    const { first_seq: first, messages } = (await manager.streams.info('EVENTS')).state;
    const stored = Array.from({ length: messages }, (_, n) =>
      manager.streams.getMessage('EVENTS', { seq: first + n }),
    );
    return (await Promise.all(stored)).filter((message) => message !== null);
  }
});

describe('the link between the two accounts', () => {
  it('delivers commands and acknowledgements after a revocation', async () => {
    const { connection } = await connectAgent(B);
    await link.ensureTopology();
    const acknowledged = new Promise<boolean>((resolve) =>
      connection.subscribe(`us.ack.${B}`, { callback: (_, message) => resolve(isAddressedTo(B, message)) }),
    );
    await connection.flush();
    await revoke(createUser().getPublicKey());
    link.acknowledgeEvent(B, 1n);
    expect(await acknowledged).toBe(true);
    const stored = await connection.request(`us.evt.${B}`, 'an event', { timeout: 60_000 });
    expect(stored.json()).toMatchObject({ stream: 'EVENTS' });
  });

  it('completes an open pull request after a restart of the control plane', async () => {
    const { connection } = await connectAgent(B);
    await link.ensureTopology();
    const inbox = `_INBOX_${B}.pull`;
    const command = new Promise<boolean>((resolve) =>
      connection.subscribe(inbox, { callback: (_, message) => resolve(isAddressedTo(B, message)) }),
    );
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.COMMANDS.agent_${B}`, '{"batch":1}', { reply: inbox });
    await connection.flush();
    const restarted = new AgentLinkService(testConfiguration(services), new Outbound());
    restarted.useDirectory({
      enrolledAgentIds: async () => [A, B],
      withRevokedKeys: (push) => push(revoked),
    });
    await restarted.start();
    const control = await restarted.connectionWhenStarted();
    await jetstream(control).publish(commandSubject(B), 'a command', { headers: addressedTo(B) });
    expect(await command).toBe(true);
    await restarted.onApplicationShutdown();
  });
});
