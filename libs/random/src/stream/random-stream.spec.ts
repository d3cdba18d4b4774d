import fc from 'fast-check';
import {
  deriveKey,
  keyFromBytes,
  putUuidV4,
  RandomStream,
  rootKey,
  UUID_LENGTH,
  uuidV4,
  type Key,
} from '../index.js';

const KEY = deriveKey(rootKey('test', 1), 'column');

function firstWord(key: Key, hi: number, lo: number, attempt: number): number {
  return new RandomStream().seekWords(key, hi, lo, attempt).uint32();
}

/** Returns the number of bits in which two words differ. */
function distance(a: number, b: number): number {
  let rest = (a ^ b) >>> 0;
  let bits = 0;
  for (; rest !== 0; rest >>>= 1) bits += rest & 1;
  return bits;
}

describe('RandomStream', () => {
  it('gives pinned words for a key and an index', () => {
    const random = new RandomStream().seek(KEY, 12345);
    expect([random.uint32(), random.uint32(), random.uint32()]).toMatchInlineSnapshot(`
     [
       4190987533,
       3312929989,
       1923672869,
     ]
    `);
  });

  it('gives the same words after a seek from any earlier position', () => {
    const random = new RandomStream().seek(KEY, 7);
    const expected = [random.uint32(), random.float53(), random.below(1000)];
    random.seek(KEY, 8).uint32();
    random.seek(KEY, 7);
    expect([random.uint32(), random.float53(), random.below(1000)]).toEqual(expected);
  });

  it('accepts an index as two words', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (index) => {
        const words = firstWord(KEY, Math.floor(index / 2 ** 32), (index % 2 ** 32) | 0, 0);
        expect(new RandomStream().seek(KEY, index).uint32()).toBe(words);
      }),
    );
  });

  // Each input bit must change half of the output bits. Otherwise the first outputs of neighbouring indexes
  // correlate.
  it.each(['hi', 'lo', 'attempt', 'a', 'b', 'c', 'd'] as const)(
    "changes half of the first word's bits for any bit of %s",
    (word) => {
      for (let bit = 0; bit < 32; bit += 1) {
        let turned = 0;
        for (let row = 0; row < 400; row += 1) {
          const cell = { ...KEY, hi: 0, lo: row, attempt: 0 };
          const other = { ...cell, [word]: cell[word] ^ (1 << bit) };
          turned += distance(
            firstWord(cell, cell.hi, cell.lo, cell.attempt),
            firstWord(other, other.hi, other.lo, other.attempt),
          );
        }
        // The standard deviation of the number of changed bits is 57, and the test allows five standard
        // deviations.
        expect(Math.abs(turned - 6400)).toBeLessThan(285);
      }
    },
  );

  it.each([1, 2, 3, 10, 1000, 2 ** 21, 2 ** 21 + 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53])(
    'below(%d) stays in its range',
    (n) => {
      const random = new RandomStream();
      for (let row = 0; row < 2000; row += 1) {
        const value = random.seek(KEY, row).below(n);
        expect(Number.isSafeInteger(value) && value >= 0 && value < n).toBe(true);
      }
    },
  );

  it.each([3, 7, 10])('below(%d) is uniform over consecutive rows', (n) => {
    const counts = new Array<number>(n).fill(0);
    const random = new RandomStream();
    for (let row = 0; row < 70_000; row += 1)
      counts[random.seek(KEY, row).below(n)] = (counts[random.seek(KEY, row).below(n)] ?? 0) + 1;
    const expected = 70_000 / n;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(n + 6 * Math.sqrt(2 * n));
  });

  it('float53 is in [0, 1) with mean 1/2', () => {
    const random = new RandomStream();
    let sum = 0;
    let outside = 0;
    for (let row = 0; row < 50_000; row += 1) {
      const value = random.seek(KEY, row).float53();
      if (!(value >= 0 && value < 1)) outside += 1;
      sum += value;
    }
    expect(outside).toBe(0);
    expect(Math.abs(sum / 50_000 - 0.5)).toBeLessThan(0.0065);
  });

  it('high27 and low split float53 into two parts and leave the stream at the same position', () => {
    const whole = new RandomStream();
    const parts = new RandomStream();
    for (let row = 0; row < 1000; row += 1) {
      const expected = whole.seek(KEY, row).float53();
      const high = parts.seek(KEY, row).high27();
      expect((high * 67108864 + (parts.low >>> 6)) / 9007199254740992).toBe(expected);
      expect(parts.uint32()).toBe(whole.uint32());
    }
  });

  it('putUuidV4 writes the text of uuidV4', () => {
    const bytes = new Uint8Array(UUID_LENGTH + 2);
    for (let row = 0; row < 1000; row += 1) {
      putUuidV4(new RandomStream().seek(KEY, row), bytes, 1);
      expect(Buffer.from(bytes).toString('latin1')).toBe(`\0${uuidV4(new RandomStream().seek(KEY, row))}\0`);
    }
  });

  it('the first words of consecutive rows do not correlate', () => {
    let sum = 0;
    for (let row = 0; row < 50_000; row += 1) {
      sum += (firstWord(KEY, 0, row, 0) / 2 ** 32 - 0.5) * (firstWord(KEY, 0, row + 1, 0) / 2 ** 32 - 0.5);
    }
    expect(Math.abs((sum / 50_000) * 12)).toBeLessThan(0.025);
  });
});

describe('keys', () => {
  it('differ for every seed, version and label', () => {
    const keys = [
      rootKey('1', 0),
      rootKey('1', 1),
      rootKey('2', 0),
      rootKey('1', -1),
      deriveKey(KEY, ''),
      deriveKey(KEY, 'a'),
      deriveKey(KEY, 'ab'),
      deriveKey(deriveKey(KEY, 'a'), 'b'),
      deriveKey(KEY, '\ud800'),
      deriveKey(KEY, '\ud801'),
    ];
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  });

  it('requires a seed that is a whole number and exact in a double', () => {
    expect(() => rootKey('1', 0.5)).toThrow(RangeError);
    expect(() => rootKey('1', 2 ** 53)).toThrow(RangeError);
  });

  it('are read little-endian from the first 16 bytes', () => {
    expect(
      keyFromBytes(Uint8Array.from([1, 0, 0, 0, 0, 1, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128, 9])),
    ).toEqual({ a: 1, b: 256, c: -1, d: -2147483648 });
    expect(() => keyFromBytes(new Uint8Array(15))).toThrow(RangeError);
  });
});
