import { createHash } from 'node:crypto';
import sodium from 'sodium-native';
import { BlockSealer } from './block-sealer.js';

export interface SealedSums {
  readonly bytes: number;
  readonly storedBytes: number;
  readonly sha256: string;
}

/** One file on its way into the store: seals what the source gives, and sums up what was made of it. */
export class SealedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private storedBytes = 0;
  private ended = false;

  /** @param key of this file alone; cleared when the stream has begun */
  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly key: Buffer,
  ) {}

  /** The sealed bytes, once. A consumer that stops early ends the source too. */
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

  /** @throws Error if the content has not been read to its end: a backend must not report a file as stored when it is not */
  written(): SealedSums {
    if (!this.ended) throw new Error('the file was not stored to its end');
    return { bytes: this.bytes, storedBytes: this.storedBytes, sha256: this.hash.digest('hex') };
  }

  private *sum(sealed: Buffer): Generator<Buffer> {
    if (sealed.length === 0) return;
    this.storedBytes += sealed.length;
    this.hash.update(sealed);
    yield sealed;
  }
}

/** A step holds the thread for about a millisecond and takes this much memory, whatever the source gives at once. */
const MAX_STEP_BYTES = 2 ** 20;
