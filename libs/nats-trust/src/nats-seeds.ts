import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

import { systemKeyPair } from './system-key-pair.js';

/** The four secrets a deployment owns; every JWT of its NATS system is derived from them. Text form, `SO…` / `SA…`. */
export interface NatsSeeds {
  readonly operator: string;
  /** Streams and the control plane live in this account. */
  readonly account: string;
  /** Agents live in this one, which has no JetStream. */
  readonly agentAccount: string;
  readonly systemAccount: string;
}

/** Four fresh seeds from the system's CSPRNG. */
export function generateNatsSeeds(): NatsSeeds {
  return {
    operator: decoder.decode(createOperator().getSeed()),
    account: decoder.decode(createAccount().getSeed()),
    agentAccount: decoder.decode(createAccount().getSeed()),
    systemAccount: decoder.decode(createAccount().getSeed()),
  };
}

/** Returns a fresh user seed, `SU…`, from the system's CSPRNG. */
export function createUserSeed(): string {
  return decoder.decode(createUser().getSeed());
}

/** A process has the few seeds of its configuration. */
const known = new Map<string, KeyPair>();

/**
 * The key pair of a seed; the same one each time, so nobody may clear it.
 * @throws Error that names the kind of key and never quotes the seed
 */
export function keyPairOf(kind: 'operator' | 'account' | 'user', seed: string): KeyPair {
  const pair = known.get(seed) ?? readSeed(kind, seed);
  if (!pair.getPublicKey().startsWith(PREFIX[kind])) throw new Error(`the seed is not one of a NATS ${kind}`);
  known.set(seed, pair);
  return pair;
}

function readSeed(kind: string, seed: string) {
  try {
    return systemKeyPair(new TextEncoder().encode(seed.trim()));
  } catch {
    // The library's error may quote its input.
    throw new Error(`not a seed of a NATS ${kind}`);
  }
}

const PREFIX = { operator: 'O', account: 'A', user: 'U' } as const;
const decoder = new TextDecoder();
