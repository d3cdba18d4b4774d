import { jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { keyPairOf } from '@understudy/agent-protocol/nats-trust';
import type { NatsOptions, Outbound } from '@understudy/outbound';

import type {
  AgentLinkConfiguration,
  Configuration,
  NatsConfiguration,
} from '../../../platform/config/configuration.js';
import { connectAsControlPlane, connectToSystemAccount } from './nats-connections.js';
import { readStreamStorage, type StreamStorage } from './stream-storage.js';

/** The facts that one connection with each account of the control plane finds. It changes nothing on the server. */
export interface NatsFacts {
  readonly version: string;
  /** Undefined if the account of the control plane may not use JetStream, or the server does not have it. */
  readonly storage: StreamStorage | undefined;
  /** The seeds that do not belong to the trust of the server. */
  readonly wrongSeeds: readonly ('operator' | 'agent account')[];
}

/** NATS is reachable, but refuses the credentials made from a seed. */
export class NatsRefusalError extends Error {
  constructor(readonly seed: 'account' | 'system account') {
    super(`NATS refuses the ${seed}`);
    this.name = 'NatsRefusalError';
  }
}

/**
 * Connects once with the account of the control plane and once with the system account.
 * @throws NatsRefusalError, or the error of the connection
 */
export async function inspectNats(
  outbound: Outbound,
  { nats, agentLink }: Pick<Configuration, 'nats' | 'agentLink'>,
  signal: AbortSignal,
): Promise<NatsFacts> {
  const account = await once('account', signal, (attempts) =>
    connectAsControlPlane(outbound, nats, attempts),
  );
  try {
    const system = await once('system account', signal, (attempts) =>
      connectToSystemAccount(outbound, nats, attempts),
    );
    try {
      return {
        version: account.info?.version ?? 'unknown',
        storage: await storageOf(account, system, agentLink),
        wrongSeeds: await wrongSeeds(system, nats),
      };
    } finally {
      await system.close();
    }
  } finally {
    await account.close();
  }
}

/** Tries to connect one time. */
async function once(
  seed: NatsRefusalError['seed'],
  signal: AbortSignal,
  connect: (attempts: Pick<NatsOptions, 'signal' | 'onFailure'>) => Promise<NatsConnection>,
): Promise<NatsConnection> {
  const firstFailure = new AbortController();
  let failure: Error | undefined;
  try {
    return await connect({
      signal: AbortSignal.any([signal, firstFailure.signal]),
      onFailure: (error) => {
        failure = error;
        firstFailure.abort();
      },
    });
  } catch (error) {
    if (failure instanceof errors.AuthorizationError) throw new NatsRefusalError(seed);
    throw failure ?? error;
  }
}

async function storageOf(
  account: NatsConnection,
  system: NatsConnection,
  limits: AgentLinkConfiguration,
): Promise<StreamStorage | undefined> {
  try {
    const manager = await jetstreamManager(account, { timeout: TIMEOUT_MS });
    await manager.getAccountInfo();
    return await readStreamStorage(system, manager, limits);
  } catch {
    return undefined; // the server has no JetStream, or the account may not use it
  }
}

/** Compares the claims that the server has stored with the seeds. */
async function wrongSeeds(system: NatsConnection, nats: NatsConfiguration): Promise<NatsFacts['wrongSeeds']> {
  const operator = keyPairOf('operator', nats.operatorSeed).getPublicKey();
  const [own, agents] = await Promise.all([
    storedClaims(system, nats.accountSeed),
    storedClaims(system, nats.agentAccountSeed),
  ]);
  return [
    ...(own?.issuer === operator ? [] : (['operator'] as const)),
    ...(agents === undefined ? (['agent account'] as const) : []),
  ];
}

/**
 * @returns undefined if the server has no claims of this account, which nats-server 2.9 does not reply to, or if it has
 *   no system account, because it accepts connections without credentials
 */
async function storedClaims(system: NatsConnection, seed: string): Promise<{ issuer: unknown } | undefined> {
  const subject = `$SYS.REQ.ACCOUNT.${keyPairOf('account', seed).getPublicKey()}.CLAIMS.LOOKUP`;
  try {
    const reply = await system.request(subject, '', { timeout: TIMEOUT_MS });
    const [, payload] = reply.string().split('.');
    if (payload === undefined) return undefined;
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss?: unknown };
    return { issuer: iss };
  } catch (error) {
    if (error instanceof errors.TimeoutError) return undefined;
    if (error instanceof errors.RequestError && error.isNoResponders()) return undefined;
    throw error;
  }
}

const TIMEOUT_MS = 5_000;
