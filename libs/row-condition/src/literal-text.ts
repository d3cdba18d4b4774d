import type { LiteralType } from './row-condition.js';

const NUMBER = /^[+-]?(?:\d{1,1000}(?:\.\d{0,1000})?|\.\d{1,1000})(?:[eE][+-]?\d{1,3})?$/;
const INTEGER = /^[+-]?\d{1,20}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/;
const ZONE = /(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)$/i;

const INTEGER_BITS: Partial<Record<LiteralType, bigint>> = { int2: 15n, int4: 31n, int8: 63n };

/**
 * Tests whether a text is a literal of the type, with the same meaning on every server and at any time. A
 * date or time must be in ISO 8601, or `infinity` or `-infinity`. Rejects words such as `now`, which
 * PostgreSQL would accept.
 */
export function isLiteralOf(type: LiteralType, text: string): boolean {
  switch (type) {
    case 'text':
    case 'varchar':
      return true;
    case 'bool':
      return text === 'true' || text === 'false';
    case 'uuid':
      return UUID.test(text);
    case 'numeric':
      return NUMBER.test(text);
    case 'float4':
    case 'float8':
      return NUMBER.test(text) && isFloat(type, text);
    case 'int2':
    case 'int4':
    case 'int8':
      return isInteger(text, INTEGER_BITS[type] ?? 0n);
    case 'time':
      return TIME.test(text);
    case 'timetz':
      return ZONE.test(text) && TIME.test(text.replace(ZONE, ''));
    case 'date':
      return isInfinity(text) || isDate(text);
    case 'timestamp':
      return isInfinity(text) || isTimestamp(text);
    case 'timestamptz':
      return isInfinity(text) || isTimestamp(/[ T]/.test(text) ? text.replace(ZONE, '') : text);
  }
}

/** Tests for a number in the range of the type. PostgreSQL rejects numbers that are too large or would round to zero. */
function isFloat(type: 'float4' | 'float8', text: string): boolean {
  const value = type === 'float4' ? Math.fround(Number(text)) : Number(text);
  const isZero = !/[1-9]/.test(text.replace(/e.*/i, ''));
  return Number.isFinite(value) && (value !== 0 || isZero);
}

function isInteger(text: string, bits: bigint): boolean {
  if (!INTEGER.test(text)) return false;
  const value = BigInt(text.replace('+', ''));
  return value >= -(1n << bits) && value < 1n << bits;
}

function isInfinity(text: string): boolean {
  return text === 'infinity' || text === '-infinity';
}

function isTimestamp(text: string): boolean {
  const [date = '', time, ...rest] = text.split(/[ T]/);
  return rest.length === 0 && isDate(date) && (time === undefined || TIME.test(time));
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
