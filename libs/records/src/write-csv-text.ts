import { type ByteSink, putCodePoint } from '@understudy/bytes';

const QUOTE = 0x22;
const COMMA = 0x2c;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
/** The largest number of UTF-8 bytes for one UTF-16 unit, without the enclosing quotes. */
const LONGEST_UNIT = 3;
const REPLACEMENT = 0xfffd;

/**
 * Appends text as one field. If the text is empty or contains a comma, a quote, CR or LF, encloses it in
 * quotes and doubles the quotes in the text. An unpaired surrogate becomes U+FFFD.
 */
export function writeCsvText(sink: ByteSink, text: string): void {
  const { length } = text;
  sink.reserve(length * LONGEST_UNIT + 2);
  const { bytes } = sink;
  const start = sink.length;
  let at = start;
  let quoted = length === 0;
  if (quoted) bytes[at++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      if (isSpecial(unit)) {
        if (!quoted) {
          // Moves the written bytes by one to make room for the opening quote. Most fields need no quotes.
          bytes.copyWithin(start + 1, start, at++);
          bytes[start] = QUOTE;
          quoted = true;
        }
        if (unit === QUOTE) bytes[at++] = QUOTE;
      }
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
  if (quoted) bytes[at++] = QUOTE;
  sink.length = at;
}

function isSpecial(unit: number): boolean {
  return (
    unit <= COMMA && (unit === COMMA || unit === QUOTE || unit === LINE_FEED || unit === CARRIAGE_RETURN)
  );
}
