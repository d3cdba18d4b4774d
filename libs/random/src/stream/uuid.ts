import type { RandomStream } from './random-stream.js';

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const DASH = 45;

/** The number of characters of a UUID, which are all ASCII. */
export const UUID_LENGTH = 36;

/** Returns a version 4 UUID (RFC 9562) from four words of the stream. */
export function uuidV4(random: RandomStream): string {
  const a = random.uint32();
  const b = random.uint32();
  const c = random.uint32();
  const d = random.uint32();
  return format(a, version4(b), variant(c), d);
}

/** Writes the same UUID as {@link uuidV4} into `bytes` at `at`, as {@link UUID_LENGTH} bytes of ASCII. */
export function putUuidV4(random: RandomStream, bytes: Uint8Array, at: number): void {
  const a = random.uint32();
  putFour(bytes, at, a >>> 16);
  putFour(bytes, at + 4, a);
  const b = version4(random.uint32());
  bytes[at + 8] = DASH;
  putFour(bytes, at + 9, b >>> 16);
  bytes[at + 13] = DASH;
  putFour(bytes, at + 14, b);
  const c = variant(random.uint32());
  bytes[at + 18] = DASH;
  putFour(bytes, at + 19, c >>> 16);
  bytes[at + 23] = DASH;
  putFour(bytes, at + 24, c);
  const d = random.uint32();
  putFour(bytes, at + 28, d >>> 16);
  putFour(bytes, at + 32, d);
}

function version4(word: number): number {
  return (word & 0xffff0fff) | 0x4000;
}

function variant(word: number): number {
  return (word & 0x3fffffff) | 0x80000000;
}

/** Writes the four hexadecimal digits of a word's last 16 bits. */
function putFour(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = DIGITS[(word >>> 12) & 15] as number;
  bytes[at + 1] = DIGITS[(word >>> 8) & 15] as number;
  bytes[at + 2] = DIGITS[(word >>> 4) & 15] as number;
  bytes[at + 3] = DIGITS[word & 15] as number;
}

/**
 * Returns a version 7 UUID (RFC 9562): 48 bits of milliseconds, then 74 random bits. UUIDs sort in the order
 * of their times.
 * @param milliseconds since 1970, 0 to 2^48 - 1
 */
export function uuidV7(random: RandomStream, milliseconds: number): string {
  const high = Math.floor(milliseconds / 65536);
  const b = random.uint32();
  const c = random.uint32();
  const d = random.uint32();
  return format(high, ((milliseconds % 65536) << 16) | (b & 0x0fff) | 0x7000, variant(c), d);
}

/**
 * Formats four words as a UUID. One call of `String.fromCharCode` with all characters is several times faster
 * than joining strings.
 */
function format(a: number, b: number, c: number, d: number): string {
  // prettier-ignore
  return String.fromCharCode(
    hex(a >>> 28), hex(a >>> 24), hex(a >>> 20), hex(a >>> 16), hex(a >>> 12), hex(a >>> 8), hex(a >>> 4), hex(a),
    DASH,
    hex(b >>> 28), hex(b >>> 24), hex(b >>> 20), hex(b >>> 16), DASH,
    hex(b >>> 12), hex(b >>> 8), hex(b >>> 4), hex(b), DASH,
    hex(c >>> 28), hex(c >>> 24), hex(c >>> 20), hex(c >>> 16), DASH,
    hex(c >>> 12), hex(c >>> 8), hex(c >>> 4), hex(c), hex(d >>> 28), hex(d >>> 24), hex(d >>> 20), hex(d >>> 16),
    hex(d >>> 12), hex(d >>> 8), hex(d >>> 4), hex(d),
  );
}

function hex(bits: number): number {
  return DIGITS[bits & 15] ?? 0;
}
