import type { ByteSink } from '@understudy/bytes';
import { decimalText, isExactDecimal } from '@understudy/expression';

import { writeJsonString } from './write-json-string.js';
import { writeNumber } from './write-number.js';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Appends `value` as JSON. Like `JSON.stringify`, omits undefined members of objects. */
export function writeJsonValue(sink: ByteSink, value: unknown): void {
  switch (typeof value) {
    case 'string':
      writeJsonString(sink, value);
      return;
    case 'number':
      if (Number.isFinite(value)) writeNumber(sink, value);
      else sink.writeAscii('null');
      return;
    case 'boolean':
      sink.writeAscii(value ? 'true' : 'false');
      return;
    case 'bigint':
      sink.writeAscii(value.toString());
      return;
    case 'object':
      if (value === null) sink.writeAscii('null');
      else if (Array.isArray(value)) writeArray(sink, value);
      else if (isExactDecimal(value)) sink.writeAscii(decimalText(value));
      else writeObject(sink, value as Readonly<Record<string, unknown>>);
      return;
    default:
      sink.writeAscii('null');
  }
}

function writeArray(sink: ByteSink, items: readonly unknown[]): void {
  sink.writeByte(OPEN_BRACKET);
  for (let i = 0; i < items.length; i++) {
    if (i > 0) sink.writeByte(COMMA);
    writeJsonValue(sink, items[i]);
  }
  sink.writeByte(CLOSE_BRACKET);
}

function writeObject(sink: ByteSink, members: Readonly<Record<string, unknown>>): void {
  sink.writeByte(OPEN_BRACE);
  let separate = false;
  for (const key of Object.keys(members)) {
    const value = members[key];
    if (value === undefined) continue;
    if (separate) sink.writeByte(COMMA);
    separate = true;
    writeJsonString(sink, key);
    sink.writeByte(COLON);
    writeJsonValue(sink, value);
  }
  sink.writeByte(CLOSE_BRACE);
}
