// The bytes are specified in docs/formats/ngram.md; change both together.

/** As PNG's: a byte with the high bit, a name, and a line end that a text-mode copy would damage. */
export const MAGIC: readonly number[] = [0x89, 0x4e, 0x47, 0x52, 0x41, 0x4d, 0x0d, 0x0a];
export const FORMAT_VERSION = 2;
/** In the header, the index is the number. */
export const TOKEN_TYPES = ['char', 'word'] as const;
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

/** Bytes of one element. */
export type ElementWidth = 1 | 2 | 4;

/** Sections a reader of this version knows, in file order, with the element widths they may have. */
export const SECTION_WIDTHS = {
  META: [1],
  SYMB: [4],
  WOFF: [4],
  WORD: [1],
  STAT: [4],
  ESYM: [1, 2, 4],
  ETGT: [1, 2, 4],
  ECUM: [1, 2, 4],
  lens: [4],
  sent: [4],
  para: [4],
  orig: [4],
  vals: [4],
} as const satisfies Record<string, readonly ElementWidth[]>;
export type SectionName = keyof typeof SECTION_WIDTHS;
export const SECTIONS = Object.keys(SECTION_WIDTHS) as readonly SectionName[];

/** Unknown sections with a small first letter may be skipped, others may not (as in PNG). */
export function isSkippable(tagWord: number): boolean {
  return (tagWord & 0x20) !== 0;
}

/** Section `orig`: keyed flag, count, then a fingerprint of this text, by which a wrong key is found out. */
export const FINGERPRINTS_HEADER_WORDS = 4;
export const KEY_CHECK_TEXT = 'understudy';
/** Section `vals`: count of texts, bytes of all texts. */
export const VALUES_HEADER_WORDS = 2;

export function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Typed arrays over the file's bytes are little-endian only where the machine is. */
export function requireLittleEndian(): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error('n-gram models are read and written on little-endian machines only');
  }
}
