import type { KeyPair } from '@nats-io/nkeys';
import { fromPublic, fromSeed } from '@nats-io/nkeys';
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

import { encodeKeyText, rawOfKeyText } from './key-text.js';

/**
 * Creates a key pair that uses the system's Ed25519 implementation. The library's own implementation is
 * JavaScript and blocks the event loop for milliseconds whenever it signs, verifies or returns a key. Both
 * implementations give the same keys and signatures, because RFC 8032 defines every byte of them.
 * @param seed text of the seed of an operator, an account or a user
 * @throws Error of the library for any other text
 */
export function systemKeyPair(seed: Uint8Array): KeyPair {
  const pair = fromSeed(seed);
  const raw = rawOfKeyText(seed);
  const secret = raw.subarray(SEED_PREFIX_BYTES);
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_HEADER, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key);
  const publicBytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_KEY_HEADER.length);
  // Both texts are computed once, because the encoder of claims requests them every time.
  const publicText = new TextDecoder().decode(encodeKeyText(kindOf(raw), publicBytes));
  const privateText = encodeKeyText(PRIVATE_PREFIX, Buffer.concat([secret, publicBytes]));
  return {
    getPublicKey: () => publicText,
    getSeed: () => pair.getSeed(),
    getPrivateKey: () => privateText.slice(),
    sign: (input) => new Uint8Array(sign(null, input, key)),
    verify: (input, signature) => verify(null, input, publicKey, signature),
    clear: () => {
      pair.clear();
      privateText.fill(0);
    },
    seal: (input, recipient, nonce) => pair.seal(input, recipient, nonce),
    open: (input, sender) => pair.open(input, sender),
  };
}

/**
 * Returns whether a signature was made with the private key of `publicKey`. Returns false for a signature of
 * a wrong length.
 * @param publicKey text of a public key
 * @throws Error of the library if `publicKey` is not a public key
 */
export function isSignedBy(publicKey: string, message: Uint8Array, signature: Uint8Array): boolean {
  const text = fromPublic(publicKey).getPublicKey();
  return verify(
    null,
    message,
    publicKeyObject(rawOfKeyText(new TextEncoder().encode(text)).subarray(1)),
    signature,
  );
}

function publicKeyObject(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_KEY_HEADER, raw]), format: 'der', type: 'spki' });
}

/**
 * Returns the prefix byte of a seed's public key. A seed starts with five bits that identify it as a seed,
 * followed by the eight bits of this prefix.
 */
function kindOf([first = 0, second = 0]: Uint8Array): number {
  return ((first & 7) << 5) | (second >> 3);
}

const SEED_PREFIX_BYTES = 2;
/** The prefix byte of private keys, whose text form starts with P. */
const PRIVATE_PREFIX = 15 << 3;

// The bytes before the 32 bytes of an Ed25519 key (RFC 8410).
const PRIVATE_KEY_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
