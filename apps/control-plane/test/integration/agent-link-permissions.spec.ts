import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  jwtAuthenticator,
  PermissionViolationError,
  type NatsConnection,
  type Status,
} from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { agentPermissions, commandSubject } from '@understudy/jetstream-transport';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AgentLinkService } from '../../src/agent-link/agent-link.service.js';
import { AgentTrustService } from '../../src/agent-link/agent-trust.service.js';
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
  link = new AgentLinkService(configuration);
  trust = new AgentTrustService(configuration);
  link.useDirectory({ enrolledAgentIds: async () => [A, B], revokedKeys: async () => revoked });
  await link.start();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

afterAll(async () => {
  await link.onApplicationShutdown();
  await services.stop();
});

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

/** What the server answers to a forbidden act, as an event of the connection. */
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
    open.splice(0); // kept for the whole table: a refusal does not end a connection
  });
  afterAll(() => agent.close());

  it.each([
    ['the events of another', `us.evt.${B}`],
    ['heartbeats of another', `us.beat.${B}`],
    ['commands to itself', `us.cmd.${A}`],
    ['commands to another', `us.cmd.${B}`],
    ['acknowledgements', `us.ack.${A}`],
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

  it('may do what its allow-list names, and the list is short', async () => {
    for (const subject of agentPermissions(A).subscribe)
      agent.subscribe(subject, { callback: () => undefined });
    agent.publish(`us.evt.${A}`, new Uint8Array());
    await agent.flush();
    const { publish, subscribe } = agentPermissions(A);
    expect([publish.length, subscribe.length]).toEqual([4, 2]);
    expect(agent.isClosed()).toBe(false);
  });

  it.each(['a.b', 'a>', '*', '', 'agt 1', 'a\r\nPUB x'])('cannot be called %j', (id) => {
    expect(() => agentPermissions(id)).toThrow(RangeError);
  });
});

describe('a revoked agent', () => {
  it('is cut off and cannot come back', async () => {
    const { connection, user } = await connectAgent(A);
    const closed = connection.closed();
    const cutBy = AbortSignal.timeout(5_000);
    await link.revokeAgent(user.getPublicKey());
    await closed;
    expect(cutBy.aborted).toBe(false);
    await expect(connectAgent(A, { user })).rejects.toThrow(/[Aa]uthorization/);
  });

  it('leaves others connected', async () => {
    const { connection } = await connectAgent(B);
    await link.revokeAgent(createUser().getPublicKey());
    await connection.flush();
    expect(connection.isClosed()).toBe(false);
  });
});

describe('a JWT', () => {
  it('that has expired is of no use', async () => {
    const user = createUser();
    const { jwt } = await trust.issue(A, user.getPublicKey(), new Date(Date.now() - 3_600_000));
    const refused = connect({
      servers: [services.natsUrl],
      authenticator: jwtAuthenticator(jwt, user.getSeed()),
      reconnect: false,
    });
    await expect(refused).rejects.toThrow();
  });

  it('of another key is of no use', async () => {
    const { jwt } = await trust.issue(A, createUser().getPublicKey(), new Date());
    const refused = connect({
      servers: [services.natsUrl],
      authenticator: jwtAuthenticator(jwt, createUser().getSeed()),
      reconnect: false,
    });
    await expect(refused).rejects.toThrow();
  });
});

describe('reply subjects, which the server does not check', () => {
  it('do not let an agent pass commands to another: what arrives lacks the addressee', async () => {
    const { connection } = await connectAgent(A);
    // The acknowledgement of this event goes where the agent says: into the other agent's commands.
    connection.publish(`us.evt.${A}`, new Uint8Array(), { reply: commandSubject(B) });
    await connection.flush();
    const control = await link.connectionWhenStarted();
    const consumer = await jetstream(control).consumers.get('COMMANDS', `agent_${B}`);
    const stray = await consumer.next({ expires: 2_000 });
    expect(stray).not.toBeNull();
    expect(stray?.headers?.get('Understudy-Agent') ?? '').toBe('');
    stray?.term();
  });

  // Known limit of nats-server 2.9: an agent can have the server send an empty answer to a subject it may not publish to.
  // Streams hold nothing that is not kept elsewhere, so the worst of it is a stream that has to be made again.
  it('cost no more than a stream that the link makes again', async () => {
    const { connection } = await connectAgent(A);
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.COMMANDS.agent_${A}`, '{"batch":1,"no_wait":true}', {
      reply: '$JS.API.STREAM.DELETE.EVENTS',
    });
    await connection.flush();
    const manager = await jetstreamManager(await link.connectionWhenStarted());
    await waitFor('the stream and its consumer', async () => {
      await link.ensureTopology().catch(() => undefined); // fails while the deletion is under way
      return manager.consumers.info('EVENTS', 'control_plane').catch(() => undefined);
    });
  });
});
