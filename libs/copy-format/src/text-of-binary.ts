import type { ByteSink } from '@understudy/bytes';
import { OID } from './oids.js';
import { escapeOf } from './write-text-field.js';

/** Appends the binary field `source[start, end)` in COPY's text format. */
export type TextOfBinary = (out: ByteSink, source: Uint8Array, start: number, end: number) => void;

const BACKSLASH = 0x5c;
const DASH = 0x2d;
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const TWO_32 = 4294967296;

const FORMS: ReadonlyMap<number, TextOfBinary> = new Map<number, TextOfBinary>([
  [OID.int8, integerText],
  [OID.int2, integerText],
  [OID.int4, integerText],
  [OID.text, escapedText],
  [OID.varchar, escapedText],
  [OID.uuid, uuidText],
]);

/** Returns the function that converts binary fields of a type to text; undefined for unsupported types. */
export function textOfBinary(typeOid: number): TextOfBinary | undefined {
  return FORMS.get(typeOid);
}

function integerText(out: ByteSink, source: Uint8Array, start: number, end: number): void {
  const length = end - start;
  if (length < 8) {
    const unused = 32 - 8 * length;
    out.writeAscii(String((word(source, start, end) << unused) >> unused));
    return;
  }
  const high = word(source, start, start + 4);
  const low = word(source, start + 4, end) >>> 0;
  if (high === 0 && low < 0x80000000) {
    writeDigits(out, low);
    return;
  }
  const isExact = high >= -0x200000 && high < 0x200000;
  out.writeAscii(isExact ? String(high * TWO_32 + low) : String((BigInt(high) << 32n) | BigInt(low)));
}

/** Appends an integer without creating a string, because most keys are small integers. @param value 0 to 2^31 - 1 */
function writeDigits(out: ByteSink, value: number): void {
  out.reserve(10);
  const { bytes, length } = out;
  let digits = 1;
  for (let bound = 10; digits < 10 && value >= bound; bound *= 10) digits++;
  for (let at = length + digits - 1, rest = value; at >= length; at--) {
    const tens = (rest / 10) | 0;
    bytes[at] = 0x30 + rest - tens * 10;
    rest = tens;
  }
  out.length = length + digits;
}

function word(source: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = (value << 8) | (source[at] as number);
  return value;
}

function escapedText(out: ByteSink, source: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = source[at] as number;
    const escape = escapeOf(byte);
    if (escape !== 0) out.writeByte(BACKSLASH);
    out.writeByte(escape === 0 ? byte : escape);
  }
}

function uuidText(out: ByteSink, source: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = source[at] as number;
    const i = at - start;
    if (i === 4 || i === 6 || i === 8 || i === 10) out.writeByte(DASH);
    out.writeByte(DIGITS[byte >> 4] as number);
    out.writeByte(DIGITS[byte & 15] as number);
  }
}
