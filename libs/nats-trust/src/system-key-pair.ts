import type { KeyPair } from '@nats-io/nkeys';
import { fromPublic, fromSeed } from '@nats-io/nkeys';
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/**
 * A key pair that signs and verifies with the system's Ed25519. The library's own is JavaScript and holds the event loop
 * for milliseconds each time; signatures are the same bytes (RFC 8032 leaves no choice).
 * @param seed text of an operator's, account's or user's seed
 * @throws Error of the library for anything else
 */
export function systemKeyPair(seed: Uint8Array): KeyPair {
  const pair = fromSeed(seed);
  // Worked out once each; the encoder of claims asks for both every time.
  const publicText = pair.getPublicKey();
  const privateText = pair.getPrivateKey();
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_HEADER, rawOf(seed).subarray(2)]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key);
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
  return verify(null, message, publicKeyObject(rawOf(new TextEncoder().encode(text)).subarray(1)), signature);
}

function publicKeyObject(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_KEY_HEADER, raw]), format: 'der', type: 'spki' });
}

// RFC 8410: what comes before the 32 bytes of an Ed25519 key.
const PRIVATE_KEY_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a key's text (base 32), its checksum left off: the library has checked it and keeps them to itself. */
function rawOf(text: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text) {
    held = (held << 5) | ALPHABET.indexOf(String.fromCharCode(char));
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes.slice(0, -2));
}
