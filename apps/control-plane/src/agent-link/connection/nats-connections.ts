import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { asksForTls, trustedUser } from '@understudy/nats-trust';

import type { NatsConfiguration } from '../../config/configuration.js';

export async function connectAsControlPlane(nats: NatsConfiguration): Promise<NatsConnection> {
  return connect(await connectionOptions(nats.url, nats.accountSeed, 'understudy-control-plane'));
}

/** Account claims are pushed through it; nothing else. */
export async function connectToSystemAccount(nats: NatsConfiguration): Promise<NatsConnection> {
  return connect(
    await connectionOptions(nats.url, nats.systemAccountSeed, 'understudy-control-plane-system'),
  );
}

/** A user of the account whose connection waits for the server and comes back for ever. */
export async function connectionOptions(
  url: string,
  accountSeed: string,
  name: string,
): Promise<NodeConnectionOptions> {
  return {
    servers: [url],
    name,
    authenticator: await trustedUser(name, accountSeed),
    ...(asksForTls([url]) ? { tls: {} } : {}),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    // The account's own claims may arrive at the server after this process: a refusal is not final.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 500,
    pingInterval: 10_000,
  };
}

/** The agents cannot be reached now; the work stays in the outbox and is tried again. */
export class AgentLinkUnavailableError extends Error {
  readonly code = 'agent_link.unavailable';

  constructor(options?: ErrorOptions) {
    super('NATS is not reachable', options);
    this.name = 'AgentLinkUnavailableError';
  }
}
