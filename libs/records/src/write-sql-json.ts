import type { ByteSink } from '@understudy/bytes';

const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const LETTER_E = 0x45;

/**
 * Appends JSON text as a string constant in the form of `writeSqlText`. The text must not contain U+0000 or
 * surrogates.
 */
export function writeSqlJson(sink: ByteSink, { bytes, length }: ByteSink): void {
  const backslash = bytes.indexOf(BACKSLASH);
  const escaped = backslash >= 0 && backslash < length;
  if (escaped) sink.writeByte(LETTER_E);
  sink.writeByte(APOSTROPHE);
  sink.reserve(2 * length);
  let at = sink.length;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === APOSTROPHE || (escaped && byte === BACKSLASH)) sink.bytes[at++] = byte;
    sink.bytes[at++] = byte;
  }
  sink.length = at;
  sink.writeByte(APOSTROPHE);
}
