import type { ByteSink } from '@understudy/bytes';

const QUOTE = 0x22;
const COMMA = 0x2c;

/** Appends JSON text as one CSV field, in quotes if it contains a comma or a quote. JSON never contains a raw CR or LF. */
export function writeQuotedJson(sink: ByteSink, json: ByteSink): void {
  const { bytes: source, length } = json;
  if (!holdsSpecial(source, length)) {
    sink.write(source, 0, length);
    return;
  }
  sink.reserve(2 * length + 2);
  const { bytes } = sink;
  let at = sink.length;
  bytes[at++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const byte = source[i] as number;
    if (byte === QUOTE) bytes[at++] = QUOTE;
    bytes[at++] = byte;
  }
  bytes[at++] = QUOTE;
  sink.length = at;
}

function holdsSpecial(bytes: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[i] === QUOTE || bytes[i] === COMMA) return true;
  return false;
}
