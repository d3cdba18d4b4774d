import type { Key } from '../keys/sip-hash.js';

// The global is read only once. In a test runner that intercepts globals, a lookup costs more than the rest
// of a seek.
const { imul } = Math;

const TWO_32 = 4294967296;
const TWO_53 = 9007199254740992;

/**
 * A seekable stream of random 32-bit words: the generator sfc32 (Doty-Humphrey, PractRand), seeded by mixing
 * a key, an index and an attempt. The words after a `seek` depend only on these three values, so any cell can
 * be generated independently of the other cells. Use one object for all cells of a thread. Threads must not
 * share an object.
 */
export class RandomStream {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 0;

  /**
   * Moves to the start of one cell's stream.
   * @param index a whole number, 0 to 2^53 - 1
   * @param attempt 32 bits; 0 is the first draw, others are its retries
   */
  seek(key: Key, index: number, attempt = 0): this {
    return this.seekWords(key, (index / TWO_32) | 0, index | 0, attempt);
  }

  /**
   * Like `seek`, with the index as two 32-bit words: `seek(k, i)` is `seekWords(k, i / 2^32, i mod 2^32)`.
   */
  seekWords(key: Key, hi: number, lo: number, attempt = 0): this {
    // For one key the map (lo, hi, attempt) → state is injective, because each step is a bijection of one
    // word.
    const w0 = avalanche(key.a ^ lo);
    const w1 = avalanche((key.b + w0) ^ hi);
    const w2 = avalanche((key.c + w1) ^ attempt);
    const w3 = avalanche(key.d + w2);
    this.a = w0 ^ w3;
    this.b = (w1 + w3) | 0;
    this.c = w2;
    this.counter = w3 | 0;
    // sfc32 needs some steps until every state word affects the output.
    this.uint32();
    this.uint32();
    this.uint32();
    this.uint32();
    return this;
  }

  /** Returns 32 random bits, 0 to 2^32 - 1. */
  uint32(): number {
    const { b, c } = this;
    const result = (this.a + b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = b ^ (b >>> 9);
    this.b = (c + (c << 3)) | 0;
    this.c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** The second word that the last call of {@link high27} consumed. `float53` uses its upper 26 bits. */
  low = 0;

  /**
   * Returns the upper 27 bits of the number that {@link float53} would return, and consumes the same two
   * words. A caller that compares the number with a threshold rarely needs the other 26 bits; {@link low}
   * contains them.
   */
  high27(): number {
    const { a, b, c, counter } = this;
    const first = (a + b + counter) | 0;
    const nextA = b ^ (b >>> 9);
    const nextB = (c + (c << 3)) | 0;
    const nextC = (((c << 21) | (c >>> 11)) + first) | 0;
    const second = (nextA + nextB + counter + 1) | 0;
    this.counter = (counter + 2) | 0;
    this.a = nextB ^ (nextB >>> 9);
    this.b = (nextC + (nextC << 3)) | 0;
    this.c = (((nextC << 21) | (nextC >>> 11)) + second) | 0;
    this.low = second;
    return first >>> 5;
  }

  /** Returns a multiple of 2^-53 in [0, 1). Takes two words. */
  float53(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / TWO_53;
  }

  /**
   * Returns a whole number in [0, n), each with the same probability.
   * @param n a whole number, 1 to 2^53
   */
  below(n: number): number {
    if (n <= 2097152) {
      // Lemire's method. With n up to 2^21 the product is exact in a double.
      let product = this.uint32() * n;
      if (product >>> 0 < n) {
        const threshold = TWO_32 % n; // rejects the words that would make the first values more probable
        while (product >>> 0 < threshold) product = this.uint32() * n;
      }
      return Math.floor(product / TWO_32);
    }
    return this.belowLarge(n);
  }

  /**
   * Draws as many bits as n - 1 has, and draws again while the number exceeds n - 1. Needs fewer than two
   * draws on average.
   */
  private belowLarge(n: number): number {
    const top = n - 1;
    if (top < TWO_32) {
      const mask = -1 >>> Math.clz32(top);
      for (;;) {
        const value = (this.uint32() & mask) >>> 0;
        if (value < n) return value;
      }
    }
    const mask = -1 >>> Math.clz32(Math.floor(top / TWO_32));
    for (;;) {
      const value = (this.uint32() & mask) * TWO_32 + this.uint32();
      if (value < n) return value;
    }
  }
}

/**
 * Mixes the bits of a word: every input bit changes every output bit with a probability near 1/2. The
 * constants are from Wellons, hash-prospector.
 */
function avalanche(word: number): number {
  let x = word ^ (word >>> 16);
  x = imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = imul(x, 0x735a2d97);
  return x ^ (x >>> 15);
}
