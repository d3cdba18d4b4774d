import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/nats-core';
import { trustedUser } from '@understudy/nats-trust';

import type { NatsConfiguration } from '../config/configuration.js';

export function connectAsControlPlane(nats: NatsConfiguration): Promise<NatsConnection> {
  return connectWith(nats.url, nats.accountSeed, 'understudy-control-plane');
}

/** Account claims are pushed through it; nothing else. */
export function connectToSystemAccount(nats: NatsConfiguration): Promise<NatsConnection> {
  return connectWith(nats.url, nats.systemAccountSeed, 'understudy-control-plane-system');
}

async function connectWith(url: string, accountSeed: string, name: string): Promise<NatsConnection> {
  return connect({
    servers: [url],
    name,
    authenticator: await trustedUser(name, accountSeed),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    // The account's own claims may arrive at the server after this process: a refusal is not final.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 500,
    pingInterval: 10_000,
  });
}
