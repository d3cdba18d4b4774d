import { type ByteSink, putCodePoint } from '@understudy/bytes';

const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_E = 0x45;
/** The largest number of UTF-8 bytes for one UTF-16 unit, without the enclosing quotes. */
const LONGEST_UNIT = 3;
const REPLACEMENT = 0xfffd;

/**
 * Appends text as a string constant. Text with backslashes becomes `E'…'` with doubled backslashes, so its meaning does
 * not depend on standard_conforming_strings (PostgreSQL docs, "Lexical Structure", 4.1.2.2). An unpaired surrogate
 * becomes U+FFFD.
 * @throws NulCharacterError for text with U+0000; nothing is appended then
 */
export function writeSqlText(sink: ByteSink, text: string): void {
  const escaped = text.includes('\\');
  if (escaped) {
    if (text.includes('\0')) throw new NulCharacterError();
    sink.writeByte(LETTER_E);
  }
  writeDoubled(sink, text, APOSTROPHE, escaped ? BACKSLASH : APOSTROPHE);
}

/** Appends a quoted identifier, which keeps its case. @throws NulCharacterError for U+0000; nothing is appended then */
export function writeSqlIdentifier(sink: ByteSink, name: string): void {
  writeDoubled(sink, name, QUOTE, QUOTE);
}

function writeDoubled(sink: ByteSink, text: string, delimiter: number, other: number): void {
  const { length } = text;
  sink.reserve(length * LONGEST_UNIT + 2);
  const { bytes } = sink;
  let at = sink.length;
  bytes[at++] = delimiter;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0) throw new NulCharacterError();
      if (unit === delimiter || unit === other) bytes[at++] = unit;
      bytes[at++] = unit;
    } else if (unit < 0xd800 || unit >= 0xe000) {
      // This code is repeated in each writer for speed; see putCodePoint.
      at = putCodePoint(bytes, at, unit);
    } else {
      const point = text.codePointAt(i) as number;
      if (point > 0xffff) i++;
      at = putCodePoint(bytes, at, point > 0xffff ? point : REPLACEMENT);
    }
  }
  bytes[at++] = delimiter;
  sink.length = at;
}

/** Thrown for text with U+0000, which PostgreSQL cannot store. */
export class NulCharacterError extends Error {
  constructor() {
    super('the value contains U+0000, which PostgreSQL cannot store');
    this.name = 'NulCharacterError';
  }
}
