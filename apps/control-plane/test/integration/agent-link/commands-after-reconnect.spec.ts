import { jetstreamManager, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import {
  agentConsumer,
  AgentMessageContext,
  agentInboxPrefix,
  COMMAND_ACK_WAIT_MS,
  COMMANDS_STREAM,
  JetStreamServer,
} from '@understudy/agent-protocol/transport';
import { accountClaims } from '@understudy/agent-protocol/nats-trust';
import { Outbound } from '@understudy/outbound';
import { startTestServices, waitFor, type TestServices } from '@understudy/testing';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../../src/agents/agent-link/connection/agent-trust.service.js';
import { connectToSystemAccount } from '../../../src/agents/agent-link/connection/nats-connections.js';
import type { Configuration } from '../../../src/platform/config/configuration.js';
import { testConfiguration } from './agent-link-configuration.js';

const AGENT = 'agt_01AAAAAAAAAAAAAAAAAAAAAAAA';

let services: TestServices;
let link: AgentLinkService;
let manager: JetStreamManager;
let agent: NatsConnection;
let server: JetStreamServer;
let configuration: Configuration;
/** The number of deliveries of each received command, which the server counts. */
const deliveries: number[] = [];

beforeAll(async () => {
  services = await startTestServices({ nats: true });
  configuration = testConfiguration(services);
  link = new AgentLinkService(configuration, new Outbound());
  link.useDirectory({ enrolledAgentIds: async () => [AGENT], withRevokedKeys: (push) => push(new Map()) });
  await link.start();
  manager = await jetstreamManager(await link.connectionWhenStarted());
  const user = createUser();
  const { jwt } = await new AgentTrustService(configuration).issue(AGENT, user.getPublicKey(), new Date());
  agent = await connect({
    servers: [services.natsUrl],
    inboxPrefix: agentInboxPrefix(AGENT),
    authenticator: jwtAuthenticator(jwt, user.getSeed()),
    reconnectDelayHandler: () => 0,
  });
  server = new JetStreamServer({
    connection: async () => agent,
    consumers: () => [
      {
        stream: COMMANDS_STREAM,
        durable: agentConsumer(AGENT),
        concurrency: 1,
        workingEveryMs: COMMAND_ACK_WAIT_MS / 3,
        retryAfterMs: () => 2_000,
        decode: (message) => {
          deliveries.push((message as unknown as JsMsg).info.deliveryCount);
          return { pattern: 'command', data: undefined, context: new AgentMessageContext(AGENT) };
        },
      },
    ],
    subjects: () => [],
  });
  server.addHandler('command', async () => undefined, true);
  await new Promise<void>((resolve, reject) =>
    server.listen((error) => (error === undefined ? resolve() : reject(error as Error))),
  );
});

beforeEach(async () => {
  deliveries.splice(0);
  const waits = async () => {
    const consumer = await manager.consumers.info(COMMANDS_STREAM, agentConsumer(AGENT));
    return consumer.num_waiting > 0;
  };
  await waitFor('a pull request that waits', waits);
});

afterAll(async () => {
  await server.close();
  await agent.close();
  await link.onApplicationShutdown();
  await services.stop();
});

/** Resolves when NATS has received a pull request of the agent from now on. */
async function nextPull(): Promise<void> {
  const publish = jest.spyOn(agent, 'publish');
  await waitFor('a pull request', async () =>
    publish.mock.calls.some(([subject]) => subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')),
  );
  publish.mockRestore();
  await agent.flush();
}

async function send(id: string): Promise<void> {
  const data = { id, name: 'm', requestedAt: new Date() };
  await link.send(AGENT, { pattern: 'erase_private_model', data });
  await waitFor('the command', async () => deliveries.length > 0, COMMAND_ACK_WAIT_MS * 4);
}

it('delivers a command once after a reconnect', async () => {
  const pulled = nextPull();
  await agent.reconnect();
  await pulled;
  await send('ers_reconnect');
  expect(deliveries).toEqual([1]);
});

it('delivers a command once if NATS has forgotten where to send messages for an earlier pull request', async () => {
  const pulled = nextPull();
  const { nats } = configuration;
  const system = await connectToSystemAccount(new Outbound(), nats, {});
  const claims = await accountClaims({ operator: nats.operatorSeed, account: nats.accountSeed });
  await system.request('$SYS.REQ.CLAIMS.UPDATE', claims);
  await system.close();
  await pulled;
  await send('ers_claims');
  expect(deliveries).toEqual([1]);
});
