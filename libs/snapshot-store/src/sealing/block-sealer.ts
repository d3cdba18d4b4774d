import sodium from 'sodium-native';

const {
  crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: MIDDLE,
  crypto_secretstream_xchacha20poly1305_TAG_FINAL: LAST,
} = sodium;

/** Plaintext bytes of a block. The last block of a stream may have fewer bytes, or none. */
export const BLOCK_BYTES = 65_536;

/** Bytes that sealing adds to a block: a tag and an authenticator. */
export const BLOCK_OVERHEAD = sodium.crypto_secretstream_xchacha20poly1305_ABYTES;

export const SEALED_BLOCK_BYTES = BLOCK_BYTES + BLOCK_OVERHEAD;

/** Bytes of the header, which comes before the first block and contains the stream's nonce. */
export const STREAM_HEADER_BYTES = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES;

/** @returns the length of the sealed stream for `bytes` of plaintext */
export function sealedLength(bytes: number): number {
  return STREAM_HEADER_BYTES + bytes + Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) * BLOCK_OVERHEAD;
}

/**
 * Seals one stream with libsodium's secretstream: a header, then blocks of {@link BLOCK_BYTES}. The last
 * block is marked, so a stream that was cut between two blocks is invalid. Keeps at most one block in memory.
 */
export class BlockSealer {
  private readonly state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  private readonly held = Buffer.allocUnsafe(BLOCK_BYTES);
  private heldBytes = 0;
  private header: Buffer | undefined = Buffer.alloc(STREAM_HEADER_BYTES);

  /** @param key 32 bytes; the caller may erase it after this returns */
  constructor(key: Uint8Array) {
    sodium.crypto_secretstream_xchacha20poly1305_init_push(this.state, this.header as Buffer, key);
  }

  /**
   * @returns the sealed blocks that this call completed. The result of the first call begins with the header
   */
  update(plain: Uint8Array): Buffer {
    // Only the last block is marked. A full block is therefore kept until another byte shows that it is not
    // the last.
    const blocks = Math.max(0, Math.ceil((this.heldBytes + plain.length) / BLOCK_BYTES) - 1);
    const { out, at: start } = this.room(blocks * SEALED_BLOCK_BYTES);
    let at = start;
    let taken = 0;
    for (let block = 0; block < blocks; block += 1) {
      const need = BLOCK_BYTES - this.heldBytes;
      const rest = plain.subarray(taken, taken + need);
      taken += need;
      const whole = this.heldBytes === 0 ? rest : this.fill(rest);
      this.push(out.subarray(at, at + SEALED_BLOCK_BYTES), whole, MIDDLE);
      at += SEALED_BLOCK_BYTES;
      this.heldBytes = 0;
    }
    this.held.set(plain.subarray(taken), this.heldBytes);
    this.heldBytes += plain.length - taken;
    return out;
  }

  /**
   * Ends the stream. No method may be called afterwards.
   * @returns the last block, which may contain no plaintext. If `update` was not called, the header comes
   * first
   */
  final(): Buffer {
    const { out, at } = this.room(this.heldBytes + BLOCK_OVERHEAD);
    this.push(out.subarray(at), this.held.subarray(0, this.heldBytes), LAST);
    sodium.sodium_memzero(this.state);
    sodium.sodium_memzero(this.held);
    return out;
  }

  private fill(rest: Uint8Array): Uint8Array {
    this.held.set(rest, this.heldBytes);
    return this.held;
  }

  private room(bytes: number): { out: Buffer; at: number } {
    const header = this.header;
    this.header = undefined;
    if (header === undefined) return { out: Buffer.allocUnsafeSlow(bytes), at: 0 };
    const out = Buffer.allocUnsafeSlow(header.length + bytes);
    out.set(header);
    return { out, at: header.length };
  }

  private push(target: Uint8Array, message: Uint8Array, tag: number): void {
    sodium.crypto_secretstream_xchacha20poly1305_push(this.state, target, message, null, tag);
  }
}
