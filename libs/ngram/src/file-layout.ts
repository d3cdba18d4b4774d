// The bytes are specified in docs/formats/ngram.md; change both together.

/** As PNG's: a byte with the high bit, a name, and a line end that a text-mode copy would damage. */
export const MAGIC: readonly number[] = [0x89, 0x4e, 0x47, 0x52, 0x41, 0x4d, 0x0d, 0x0a];
export const FORMAT_VERSION = 1;
export const TOKEN_TYPE_CHAR = 0;
export const HEADER_BYTES = 32;
export const SECTION_ENTRY_BYTES = 16;
export const MAX_SECTIONS = 64;
export const CHECKSUM_BYTES = 4;
export const ALIGNMENT = 8;

/** Four ASCII letters as the little-endian word in which the file holds them. */
export function tag(letters: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = [...letters].map((letter) => letter.charCodeAt(0));
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

/** Sections a reader of this version knows, in file order. */
export const SECTIONS = ['META', 'SYMB', 'STAT', 'ESYM', 'ETGT', 'ECUM', 'orig'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Unknown sections with a small first letter may be skipped, others may not (as in PNG). */
export function isSkippable(tagWord: number): boolean {
  return (tagWord & 0x20) !== 0;
}

/** Section `orig`: keyed flag, count, then a fingerprint of this text, by which a wrong key is found out. */
export const ORIGINALS_HEADER_BYTES = 16;
export const KEY_CHECK_TEXT = 'understudy';

export function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Typed arrays over the file's bytes are little-endian only where the machine is. */
export function requireLittleEndian(): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error('n-gram models are read and written on little-endian machines only');
  }
}
