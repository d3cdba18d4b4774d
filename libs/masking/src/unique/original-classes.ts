import { ByteSink } from '@understudy/bytes';
import { deriveKey, type Key, sipHash128 } from '@understudy/random';
import { writeCanonical } from '../values/canonical-value.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { FingerprintTable, MAX_FINGERPRINTS } from './fingerprint-table.js';
import { TooManyOriginalsError } from './original-attempts.js';
import type { OriginalClasses } from './unique-rows.js';

const TAB = 0x09;
const WORDS = 3;

/**
 * Receives the classes of equal originals. An original that equals the text of its representative may be left
 * out, unless the mask folds texts. Two classes may then have the same folded text, and only the first of them
 * keeps the hash of that text.
 */
export class OriginalClassesBuilder {
  /** The number of the hash in `hashes`, for each original whose canonical form is not right. */
  private readonly numbers = new FingerprintTable(true);
  private hashes = new Int32Array(WORDS * 64);
  private hashCount = 0;
  /** The folded texts of the classes. */
  private readonly claimed = new FingerprintTable();
  /** The texts of the classes, each together with its class. */
  private readonly texts = new FingerprintTable();
  private readonly textKey: Key;
  private readonly scratch = new ByteSink(256);
  private readonly words = new Int32Array(2);
  private readonly current = {
    representative: new ByteSink(256),
    /** The text that is hashed for the class. */
    id: new ByteSink(256),
    hash: new Int32Array(WORDS),
    number: -1,
  };
  private isFirst = true;

  /**
   * @param mask a mask of the key's columns, with an `originalKey`
   * @param canonical the canonical form of the key's originals
   */
  constructor(
    private readonly mask: ColumnMask,
    private readonly canonical: 'folded' | undefined,
  ) {
    this.textKey = deriveKey(mask.key, 'class');
  }

  /**
   * Adds an original, `bytes[bounds[0], bounds[1])`, and its representative, `bytes[bounds[2], bounds[3])`.
   * Both are fields of COPY's text format. Originals must be ordered by their representatives.
   * @throws TooManyOriginalsError
   */
  add(bytes: Uint8Array, bounds: Int32Array): void {
    const [start = 0, end = 0, from = 0, to = 0] = bounds;
    const { current, mask, numbers, words, canonical } = this;
    if (this.isFirst || !isSame(current.representative, bytes, from, to)) this.enter(bytes, from, to);
    if (mask.differs) {
      this.hashText(current.hash, bytes, start, end);
      this.addTo(this.texts);
    }
    this.scratch.length = 0;
    writeCanonical(this.scratch, canonical, bytes, start, end);
    if (isSame(current.id, this.scratch.bytes, 0, this.scratch.length)) return;
    if (current.number === -1) current.number = this.storeHash(current.hash);
    if (numbers.size === MAX_FINGERPRINTS) throw new TooManyOriginalsError('memory');
    this.hashOriginal(bytes, start, end);
    numbers.add(words[0] as number, words[1] as number, current.number);
  }

  /** @returns undefined if the canonical forms of all originals are right */
  finish(): OriginalClasses | undefined {
    const { numbers, texts, words } = this;
    if (numbers.size === 0 && texts.size === 0) return undefined;
    return {
      find: (bytes, start, end, out) => {
        this.hashOriginal(bytes, start, end);
        const number = numbers.numberOf(words[0] as number, words[1] as number);
        if (number === -1) return false;
        for (let i = 0; i < WORDS; i++) out[i] = this.hashes[WORDS * number + i] as number;
        return true;
      },
      hasText: (stream, bytes, start, end) => {
        this.hashText(stream, bytes, start, end);
        return texts.has(words[0] as number, words[1] as number);
      },
    };
  }

  private enter(bytes: Uint8Array, start: number, end: number): void {
    const { current, mask, canonical } = this;
    this.isFirst = false;
    current.number = -1;
    current.representative.length = 0;
    current.representative.write(bytes, start, end);
    current.id.length = 0;
    writeCanonical(current.id, canonical, bytes, start, end);
    sipHash128(this.textKey, current.id.bytes, 0, current.id.length, this.words);
    if (canonical === 'folded' && !this.addTo(this.claimed)) {
      // Another class has the same folded text. No field of COPY's text format contains a tab, so this text is
      // not the folded text of any original.
      current.id.length = 0;
      current.id.writeByte(TAB);
      current.id.write(bytes, start, end);
    }
    sipHash128(mask.originalKey ?? mask.key, current.id.bytes, 0, current.id.length, current.hash);
  }

  /** Adds the fingerprint in `words`. @returns false if the table has it already */
  private addTo(table: FingerprintTable): boolean {
    if (table.size === MAX_FINGERPRINTS) throw new TooManyOriginalsError('memory');
    return table.add(this.words[0] as number, this.words[1] as number);
  }

  private storeHash(hash: Int32Array): number {
    const at = WORDS * this.hashCount;
    if (at === this.hashes.length) {
      const grown = new Int32Array(2 * at);
      grown.set(this.hashes);
      this.hashes = grown;
    }
    this.hashes.set(hash, at);
    return this.hashCount++;
  }

  private hashOriginal(bytes: Uint8Array, start: number, end: number): void {
    sipHash128(this.textKey, bytes, start, end, this.words);
  }

  private hashText(stream: Int32Array, bytes: Uint8Array, start: number, end: number): void {
    const { scratch, words, textKey } = this;
    scratch.length = 0;
    for (let i = 0; i < 2; i++)
      for (let shift = 0; shift < 32; shift += 8) scratch.writeByte(((stream[i] as number) >>> shift) & 0xff);
    scratch.write(bytes, start, end);
    sipHash128(textKey, scratch.bytes, 0, scratch.length, words);
  }
}

function isSame({ bytes: known, length }: ByteSink, bytes: Uint8Array, start: number, end: number): boolean {
  if (length !== end - start) return false;
  for (let i = 0; i < length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}
