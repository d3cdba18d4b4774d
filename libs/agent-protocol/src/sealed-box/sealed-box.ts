import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';

/** Raw X25519 keys of 32 bytes each. */
export interface SealingKeyPair {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

export interface SealedBox {
  /** 32 bytes. */
  readonly encapsulatedKey: Uint8Array;
  /** 16 bytes longer than the plaintext. */
  readonly ciphertext: Uint8Array;
}

/**
 * Thrown if a box was sealed for another key or another purpose, or was changed. The message contains no
 * content of the box.
 */
export class SealedBoxError extends Error {
  readonly code = 'sealed_box.unreadable';

  constructor() {
    super('the sealed box cannot be opened with this key for this purpose');
    this.name = 'SealedBoxError';
  }
}

export async function generateKeyPair(): Promise<SealingKeyPair> {
  const { publicKey, privateKey } = await kem.generateKeyPair();
  return {
    publicKey: new Uint8Array(await kem.serializePublicKey(publicKey)),
    privateKey: new Uint8Array(await kem.serializePrivateKey(privateKey)),
  };
}

/**
 * Encrypts a plaintext for the owner of a private key. The sender cannot decrypt the box. Uses the base mode
 * of HPKE (RFC 9180) with one message per box.
 * @param info the purpose of the box; opening requires the same bytes. See {@link sealingPurpose}
 * @throws RangeError if the key is not 32 bytes
 */
export async function seal(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  info: Uint8Array,
): Promise<SealedBox> {
  if (publicKey.length !== KEY_BYTES)
    throw new RangeError(`an X25519 public key must have 32 bytes, got ${publicKey.length}`);
  const sealed = await suite.seal(
    { recipientPublicKey: await kem.deserializePublicKey(ownBuffer(publicKey)), info: ownBuffer(info) },
    ownBuffer(plaintext),
  );
  return { encapsulatedKey: new Uint8Array(sealed.enc), ciphertext: new Uint8Array(sealed.ct) };
}

/**
 * Decrypts a box.
 * @throws SealedBoxError if the box was sealed for another key or another `info`, or was changed
 */
export async function open(privateKey: Uint8Array, box: SealedBox, info: Uint8Array): Promise<Uint8Array> {
  try {
    const opened = await suite.open(
      {
        recipientKey: await kem.deserializePrivateKey(ownBuffer(privateKey)),
        enc: ownBuffer(box.encapsulatedKey),
        info: ownBuffer(info),
      },
      ownBuffer(box.ciphertext),
    );
    return new Uint8Array(opened);
  } catch {
    // The error does not state which input was wrong. It has no `cause`, because the library's error could
    // quote an input.
    throw new SealedBoxError();
  }
}

/**
 * The purpose of a box. A box for one field of one job of one organisation cannot be opened for any other
 * purpose.
 */
export interface SealingPurpose {
  readonly organizationId: string;
  readonly jobId: string;
  readonly field: 'source' | 'target';
}

/**
 * Returns the `info` bytes of a purpose. Ids cannot contain a line feed, so different purposes have different
 * bytes.
 */
export function sealingPurpose(purpose: SealingPurpose): Uint8Array {
  const parts = ['understudy sealed url v1', purpose.organizationId, purpose.jobId, purpose.field];
  if (parts.some((part) => part.includes('\n'))) throw new RangeError('an id contains a line feed');
  return new TextEncoder().encode(parts.join('\n'));
}

// The library reads the whole ArrayBuffer, so a view into a larger one (such as Buffer's pool) must be
// copied.
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

const KEY_BYTES = 32;
const kem = new DhkemX25519HkdfSha256();
const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
