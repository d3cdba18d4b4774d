import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';

/** Raw X25519 keys, 32 bytes each. */
export interface SealingKeyPair {
  readonly publicKey: Uint8Array;
  readonly privateKey: Uint8Array;
}

export interface SealedBox {
  /** 32 bytes. */
  readonly encapsulatedKey: Uint8Array;
  /** The plaintext's length + 16 bytes. */
  readonly ciphertext: Uint8Array;
}

/** The box was not made for this key and this purpose, or it was changed. Says nothing about its content. */
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
 * Seals to the holder of a private key; the sender cannot open it again. HPKE (RFC 9180) base mode, one message a box.
 * @param info what the box is for; opening asks for the same bytes. See {@link sealingPurpose}
 * @throws RangeError if the key is not 32 bytes
 */
export async function seal(
  publicKey: Uint8Array,
  plaintext: Uint8Array,
  info: Uint8Array,
): Promise<SealedBox> {
  if (publicKey.length !== KEY_BYTES) throw new RangeError('an X25519 public key has 32 bytes');
  const sealed = await suite.seal(
    { recipientPublicKey: await kem.deserializePublicKey(ownBuffer(publicKey)), info: ownBuffer(info) },
    ownBuffer(plaintext),
  );
  return { encapsulatedKey: new Uint8Array(sealed.enc), ciphertext: new Uint8Array(sealed.ct) };
}

/** @throws SealedBoxError if key, info or box do not belong together */
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
    // Which of the inputs was wrong is nobody's business, and the cause could quote one.
    throw new SealedBoxError();
  }
}

/** The purpose of a box: a box made for one field of one job of one organisation opens for nothing else. */
export interface SealingPurpose {
  readonly organizationId: string;
  readonly jobId: string;
  readonly field: 'source' | 'target';
}

/** The `info` bytes of a purpose. Ids hold no line feed, so different purposes never give the same bytes. */
export function sealingPurpose(purpose: SealingPurpose): Uint8Array {
  const parts = ['understudy sealed url v1', purpose.organizationId, purpose.jobId, purpose.field];
  if (parts.some((part) => part.includes('\n'))) throw new RangeError('an id holds a line feed');
  return new TextEncoder().encode(parts.join('\n'));
}

// The library reads whole ArrayBuffers; a view into a larger one (Buffer's pool) must be copied out.
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

const KEY_BYTES = 32;
const kem = new DhkemX25519HkdfSha256();
const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
