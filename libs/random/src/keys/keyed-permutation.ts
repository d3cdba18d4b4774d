import { deriveKey } from './derive-key.js';
import { type Key, sipHash128 } from './sip-hash.js';

/** An additive Feistel network is a strong permutation from a handful of rounds on (Black and Rogaway, "Ciphers with Arbitrary Finite Domains"). */
const ROUNDS = 10;
const TWO_21 = 2097152;
const LARGEST_SIZE = 9007199254740992;

/**
 * A permutation of the whole numbers from 0 to size - 1 that nobody can tell from a random one without its key: an
 * additive Feistel network over two digits of about the square root of the size each. Numbers that fall past the size go
 * through it again ("cycle walking"), which stays a permutation; it happens to fewer than one in two, of large sizes to
 * next to none.
 * Cost about a microsecond a number. Allocates nothing a call.
 */
export class KeyedPermutation {
  private readonly key: Key;
  private readonly leftSize: number;
  private readonly rightSize: number;
  /** What a round hashes: its number, and one digit. */
  private readonly block = new Uint8Array(8);
  private readonly view = new DataView(this.block.buffer);
  private readonly words = new Int32Array(2);

  /** @param size 1 to 2^53 */
  constructor(
    key: Key,
    readonly size: number,
  ) {
    if (!(Number.isInteger(size) && size >= 1 && size <= LARGEST_SIZE)) {
      throw new RangeError(`a permutation is of 1 to 2^53 numbers, not ${size}`);
    }
    this.key = deriveKey(key, `permutation of ${size}`);
    this.leftSize = Math.ceil(Math.sqrt(size));
    this.rightSize = Math.ceil(size / this.leftSize);
  }

  /** @param index 0 to size - 1 @returns the same range, another for each */
  of(index: number): number {
    let at = index;
    do at = this.once(at);
    while (at >= this.size);
    return at;
  }

  private once(index: number): number {
    const { leftSize, rightSize } = this;
    let left = Math.floor(index / rightSize);
    let right = index % rightSize;
    for (let round = 0; round < ROUNDS; round += 2) {
      left = (left + this.mix(round, right, leftSize)) % leftSize;
      right = (right + this.mix(round + 1, left, rightSize)) % rightSize;
    }
    return left * rightSize + right;
  }

  private mix(round: number, digit: number, below: number): number {
    this.view.setUint32(0, digit, true);
    this.view.setUint32(4, round, true);
    sipHash128(this.key, this.block, 0, 8, this.words);
    const [low = 0, high = 0] = this.words;
    return ((high >>> 0) * TWO_21 + (low >>> 11)) % below;
  }
}
