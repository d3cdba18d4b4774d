import type { NatsConnection } from '@nats-io/nats-core';
import { trustedUser } from '@understudy/agent-protocol/nats-trust';
import { connectNats, type NatsOptions, type Outbound } from '@understudy/outbound';

import type { NatsConfiguration } from '../../../platform/config/configuration.js';

/** Ends the attempts to open the first connection, and receives the reasons of their failures. */
type Attempts = Pick<NatsOptions, 'signal' | 'onFailure'>;

export async function connectAsControlPlane(
  outbound: Outbound,
  nats: NatsConfiguration,
  attempts: Attempts,
): Promise<NatsConnection> {
  const name = 'understudy-control-plane';
  const authenticator = await trustedUser(name, nats.accountSeed);
  return connectNats(outbound, { urls: [nats.url], name, authenticator, ...attempts });
}

/** Opens the connection that is used only to read and push account claims. */
export async function connectToSystemAccount(
  outbound: Outbound,
  nats: NatsConfiguration,
  attempts: Attempts,
): Promise<NatsConnection> {
  const name = 'understudy-control-plane-system';
  const authenticator = await trustedUser(name, nats.systemAccountSeed);
  return connectNats(outbound, { urls: [nats.url], name, authenticator, ...attempts });
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
