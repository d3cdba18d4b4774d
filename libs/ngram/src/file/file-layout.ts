// docs/reference/ngram-format.md specifies the bytes; change both together.

/**
 * Like the signature of PNG: a byte with the high bit, a name, and a line end that a text-mode copy would
 * damage.
 */
export const MAGIC: readonly number[] = [0x89, 0x4e, 0x47, 0x52, 0x41, 0x4d, 0x0d, 0x0a];
export const FORMAT_VERSION = 2;
/** The header contains the index of the token type in this array. */
export const TOKEN_TYPES = ['char', 'word'] as const;
export const HEADER_BYTES = 32;
export const SECTION_ENTRY_BYTES = 16;
export const MAX_SECTIONS = 64;
export const CHECKSUM_BYTES = 4;
export const ALIGNMENT = 8;

/** Encodes four ASCII letters as the little-endian 32-bit word that the file contains. */
export function tag(letters: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = [...letters].map((letter) => letter.charCodeAt(0));
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

/** The number of bytes of one element. */
export type ElementWidth = 1 | 2 | 4;

/** The sections that a reader of this version supports, in file order, with their possible element widths. */
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

/**
 * Returns whether a reader may skip a section that it does not support. As in PNG, the names of such sections
 * start with a lower-case letter.
 */
export function isSkippable(tagWord: number): boolean {
  return (tagWord & 0x20) !== 0;
}

/**
 * The header of section `orig` contains a flag, the number of fingerprints, and the fingerprint of
 * `KEY_CHECK_TEXT`. The flag is set if the fingerprints were made with a secret key. A reader with a wrong
 * key computes another fingerprint of that text.
 */
export const FINGERPRINTS_HEADER_WORDS = 4;
export const KEY_CHECK_TEXT = 'understudy';
/** The header of section `vals` contains the number of texts and the number of bytes of all texts. */
export const VALUES_HEADER_WORDS = 2;

export function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Throws on big-endian machines, on which typed arrays over the file's bytes would be wrong. */
export function requireLittleEndian(): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error('n-gram models can be read and written only on little-endian machines');
  }
}
