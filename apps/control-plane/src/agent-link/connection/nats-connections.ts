import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { asksForTls, trustedUser } from '@understudy/nats-trust';

import type { NatsConfiguration } from '../../config/configuration.js';

export async function connectAsControlPlane(nats: NatsConfiguration): Promise<NatsConnection> {
  return connect(await connectionOptions(nats.url, nats.accountSeed, 'understudy-control-plane'));
}

/** Opens the connection that is used only to read and push account claims. */
export async function connectToSystemAccount(nats: NatsConfiguration): Promise<NatsConnection> {
  return connect(
    await connectionOptions(nats.url, nats.systemAccountSeed, 'understudy-control-plane-system'),
  );
}

/** Returns options for a connection that retries the first connect, and later every reconnect, without limit. */
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
    // A refusal is not final: the server may receive the account's claims after this process has started.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 500,
    pingInterval: 10_000,
  };
}

/**
 * NATS is unavailable or an agent did not respond in time. The caller can send a command again later, because
 * PostgreSQL stores the job or task that the command belongs to.
 */
export class AgentLinkUnavailableError extends Error {
  readonly code = 'agent_link.unavailable';

  constructor(options?: ErrorOptions) {
    super('NATS is not reachable', options);
    this.name = 'AgentLinkUnavailableError';
  }
}
