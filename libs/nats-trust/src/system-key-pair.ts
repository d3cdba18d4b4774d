import type { KeyPair } from '@nats-io/nkeys';
import { fromPublic, fromSeed } from '@nats-io/nkeys';
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

import { encodeKeyText, rawOfKeyText } from './key-text.js';

/**
 * A key pair of the system's Ed25519. The library's own is JavaScript and holds the event loop for milliseconds each time it
 * signs, verifies or is asked for a key; keys and signatures are the same bytes (RFC 8032 leaves no choice).
 * @param seed text of an operator's, account's or user's seed
 * @throws Error of the library for anything else
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
  // Written once each; the encoder of claims asks for both every time.
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
 * Whether the holder of a key signed this. A signature of another length is none.
 * @param publicKey text of a public key
 * @throws Error of the library when that is no public key
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

/** A seed begins with five bits that say so, then the eight of the prefix of its public key. */
function kindOf([first = 0, second = 0]: Uint8Array): number {
  return ((first & 7) << 5) | (second >> 3);
}

const SEED_PREFIX_BYTES = 2;
/** A text that begins with P. */
const PRIVATE_PREFIX = 15 << 3;

// RFC 8410: what comes before the 32 bytes of an Ed25519 key.
const PRIVATE_KEY_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
