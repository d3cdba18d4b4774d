import { createHash } from 'node:crypto';
import sodium from 'sodium-native';
import { BlockSealer } from './block-sealer.js';

export interface SealedSums {
  readonly bytes: number;
  readonly storedBytes: number;
  readonly sha256: string;
}

/**
 * Seals one file on its way into the store. Computes the lengths of the plaintext and of the sealed bytes,
 * and the SHA-256 of the sealed bytes.
 */
export class SealedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private storedBytes = 0;
  private ended = false;

  /** @param key the key that seals only this file; erased as soon as sealing has begun */
  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly key: Buffer,
  ) {}

  /** Returns the sealed bytes; may be called once. If the consumer stops early, the source is closed. */
  async *content(): AsyncGenerator<Buffer> {
    const sealer = new BlockSealer(this.key);
    sodium.sodium_memzero(this.key);
    for await (const plain of this.source) {
      this.bytes += plain.length;
      for (let at = 0; at < plain.length; at += MAX_STEP_BYTES)
        yield* this.sum(sealer.update(plain.subarray(at, at + MAX_STEP_BYTES)));
    }
    yield* this.sum(sealer.final());
    this.ended = true;
  }

  /**
   * @returns the length of the plaintext, and the length and SHA-256 of the sealed bytes
   * @throws Error if the backend did not read the content to its end, so that the stored file is incomplete
   */
  written(): SealedSums {
    if (!this.ended) throw new Error('the backend did not read the sealed file to its end');
    return { bytes: this.bytes, storedBytes: this.storedBytes, sha256: this.hash.digest('hex') };
  }

  private *sum(sealed: Buffer): Generator<Buffer> {
    if (sealed.length === 0) return;
    this.storedBytes += sealed.length;
    this.hash.update(sealed);
    yield sealed;
  }
}

/**
 * Maximum number of bytes to seal in one step, even if the source returns a larger piece. A step blocks the
 * thread for about a millisecond and needs this much memory.
 */
const MAX_STEP_BYTES = 2 ** 20;
