import sodium from 'sodium-native';
import { BLOCK_BYTES, BLOCK_OVERHEAD, SEALED_BLOCK_BYTES, STREAM_HEADER_BYTES } from './block-sealer.js';

const {
  crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: MIDDLE,
  crypto_secretstream_xchacha20poly1305_TAG_FINAL: LAST,
} = sodium;

/**
 * Thrown if bytes are not a stream that this key sealed. They were changed, cut or extended, or another key
 * sealed them.
 */
export class UnsealableError extends Error {
  constructor() {
    super('the bytes are not a stream that was sealed with this key');
    this.name = 'UnsealableError';
  }
}

/**
 * Opens a stream that a {@link BlockSealer} sealed. Returns only bytes of blocks that were authenticated.
 * Holds one block in memory.
 */
export class BlockOpener {
  private readonly state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  private readonly held = Buffer.allocUnsafe(SEALED_BLOCK_BYTES);
  private heldBytes = 0;
  private begun = false;
  private readonly tag = Buffer.alloc(1);

  /** @param key 32 bytes, which must not change while the stream is read */
  constructor(private readonly key: Uint8Array) {}

  /**
   * @returns the plaintext of the blocks that are complete
   * @throws UnsealableError at the first block that is not the next one of this stream
   */
  update(sealed: Uint8Array): Buffer {
    const bytes = this.begun ? sealed : this.begin(sealed);
    // The tag of the last block marks the end of the stream. A full block waits until another byte shows that
    // it is not the last.
    const blocks = Math.max(0, Math.ceil((this.heldBytes + bytes.length) / SEALED_BLOCK_BYTES) - 1);
    const out = Buffer.allocUnsafeSlow(blocks * BLOCK_BYTES);
    let taken = 0;
    for (let block = 0; block < blocks; block += 1) {
      const need = SEALED_BLOCK_BYTES - this.heldBytes;
      const rest = bytes.subarray(taken, taken + need);
      taken += need;
      const whole = this.heldBytes === 0 ? rest : this.fill(rest);
      this.pull(out.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES), whole, MIDDLE);
      this.heldBytes = 0;
    }
    this.held.set(bytes.subarray(taken), this.heldBytes);
    this.heldBytes += bytes.length - taken;
    return out;
  }

  /** @returns the plaintext of the last block @throws UnsealableError if the stream does not end here */
  final(): Buffer {
    if (!this.begun || this.heldBytes < BLOCK_OVERHEAD) throw new UnsealableError();
    const out = Buffer.allocUnsafeSlow(this.heldBytes - BLOCK_OVERHEAD);
    this.pull(out, this.held.subarray(0, this.heldBytes), LAST);
    sodium.sodium_memzero(this.state);
    return out;
  }

  /** Collects the header, which may arrive in pieces. @returns the bytes after the header */
  private begin(sealed: Uint8Array): Uint8Array {
    const need = STREAM_HEADER_BYTES - this.heldBytes;
    this.held.set(sealed.subarray(0, need), this.heldBytes);
    this.heldBytes += Math.min(need, sealed.length);
    if (this.heldBytes < STREAM_HEADER_BYTES) return sealed.subarray(sealed.length);
    const header = this.held.subarray(0, STREAM_HEADER_BYTES);
    sodium.crypto_secretstream_xchacha20poly1305_init_pull(this.state, header, this.key);
    this.begun = true;
    this.heldBytes = 0;
    return sealed.subarray(need);
  }

  private fill(rest: Uint8Array): Uint8Array {
    this.held.set(rest, this.heldBytes);
    return this.held;
  }

  private pull(target: Uint8Array, block: Uint8Array, tag: number): void {
    try {
      sodium.crypto_secretstream_xchacha20poly1305_pull(this.state, target, this.tag, block, null);
    } catch {
      throw new UnsealableError();
    }
    // The tag is authenticated. A last block in the middle, or another block at the end, means that streams
    // were cut or joined.
    if (this.tag[0] !== tag) throw new UnsealableError();
  }
}
