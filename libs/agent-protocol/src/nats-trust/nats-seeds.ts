import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

import { systemKeyPair } from './system-key-pair.js';

/**
 * The four secrets of a deployment, in the text form `SO…` / `SA…`. Every JWT of its NATS system is derived
 * from them.
 */
export interface NatsSeeds {
  readonly operator: string;
  /** The account of the control plane. It contains the streams. */
  readonly account: string;
  /** The account of the agents. It has no JetStream. */
  readonly agentAccount: string;
  readonly systemAccount: string;
}

/** Creates four new seeds from the system's CSPRNG. */
export function generateNatsSeeds(): NatsSeeds {
  return {
    operator: decoder.decode(createOperator().getSeed()),
    account: decoder.decode(createAccount().getSeed()),
    agentAccount: decoder.decode(createAccount().getSeed()),
    systemAccount: decoder.decode(createAccount().getSeed()),
  };
}

/** Creates a new user seed, `SU…`, from the system's CSPRNG. */
export function createUserSeed(): string {
  return decoder.decode(createUser().getSeed());
}

/**
 * A cache of key pairs by seed. It remains small, because a process uses only the few seeds of its
 * configuration.
 */
const known = new Map<string, KeyPair>();

/**
 * Returns the key pair of a seed. Every call returns the same object, so callers must not call its `clear`.
 * @throws Error that names the kind of key and never quotes the seed
 */
export function keyPairOf(kind: 'operator' | 'account' | 'user', seed: string): KeyPair {
  const pair = known.get(seed) ?? readSeed(kind, seed);
  if (!pair.getPublicKey().startsWith(PREFIX[kind]))
    throw new Error(`expected the seed of a NATS ${kind}, got the seed of another kind`);
  known.set(seed, pair);
  return pair;
}

function readSeed(kind: string, seed: string) {
  try {
    return systemKeyPair(new TextEncoder().encode(seed.trim()));
  } catch {
    // The library's error could quote its input.
    throw new Error(`not a valid seed of a NATS ${kind}`);
  }
}

const PREFIX = { operator: 'O', account: 'A', user: 'U' } as const;
const decoder = new TextDecoder();
