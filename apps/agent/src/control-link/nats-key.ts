import { createUser, fromSeed } from '@nats-io/nkeys';

/** A fresh key of the agent; `SU…`, secret. */
export function createNatsSeed(): string {
  return new TextDecoder().decode(createUser().getSeed());
}

export function natsPublicKeyOf(seed: string): string {
  return keyOf(seed).getPublicKey();
}

/** Ed25519 over the UTF-8 bytes of the message; 64 bytes. */
export function signWithNatsKey(seed: string, message: string): Uint8Array {
  return keyOf(seed).sign(new TextEncoder().encode(message));
}

function keyOf(seed: string) {
  return fromSeed(new TextEncoder().encode(seed));
}
