import { exactDecimal, type ExactDecimal } from './exact-decimal.js';

/** The largest number of digits that an exact number may have. Conversion takes more than linear time. */
const MAX_DIGITS = 1000;
const PARTS = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?\d+$/;
/** The shortest form of a double has an exponent from here on. */
const EXPONENT_FROM = 1e21;

/** A number with the digits of its source. */
export type ExactNumber = number | bigint | ExactDecimal;

/**
 * Parses a decimal number without changing its value. Keeps the digits of integers and of decimals that no
 * double has.
 * @param text a number as in JSON
 * @returns a number whose shortest decimal form has the value of `text`, otherwise a bigint for an integer, or an
 * ExactDecimal. Both have at most 1,000 digits and no exponent. Undefined if the number has more digits
 */
export function parseExactNumber(text: string): ExactNumber | undefined {
  const double = doubleOf(text);
  if (double !== undefined) return double;
  const { sign, digits, scale } = partsOf(text);
  if (text.length > MAX_DIGITS || digits.length + Math.abs(scale) > MAX_DIGITS) return undefined;
  const unscaled = BigInt(`${sign}${digits}`);
  const unit = 10n ** BigInt(Math.abs(scale));
  if (scale <= 0) return unscaled * unit;
  return unscaled % unit === 0n ? unscaled / unit : exactDecimal(unscaled, scale);
}

/** Returns the number whose shortest decimal form has the value of `text`, if there is one. Takes linear time. */
export function doubleOf(text: string): number | undefined {
  const value = Number(text);
  const isWritten = !INTEGER.test(text) || Math.abs(value) < EXPONENT_FROM;
  if (!isWritten || !Number.isFinite(value)) return undefined;
  return significant(text) === significant(String(value)) ? value : undefined;
}

/** Returns the exponent of a number, or 0. */
export function exponentOf(text: string): number {
  return Number(/[eE]/.test(text) ? text.slice(text.search(/[eE]/) + 1) : 0);
}

/** Returns the number with these digits, or the bigint if no double has them. */
export function shortestInteger(value: bigint): number | bigint {
  const double = Number(value);
  if (Number.isSafeInteger(double)) return double;
  return Math.abs(double) < EXPONENT_FROM && String(double) === String(value) ? double : value;
}

/**
 * Returns the integer whose digits are written for a number.
 * @returns undefined if the value is no number, or no integer
 */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  if (Math.abs(value) < EXPONENT_FROM) return BigInt(String(value));
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d*))?e\+(\d+)$/.exec(String(value)) ?? [];
  return BigInt(sign + whole + fraction + '0'.repeat(Number(exponent) - fraction.length));
}

/** Returns a number as a decimal. A double has the digits of its shortest form. */
export function toDecimal(value: ExactNumber): ExactDecimal {
  if (typeof value === 'object') return value;
  const { sign, digits, scale } = partsOf(String(value));
  return exactDecimal(BigInt(`${sign}${digits || '0'}`), scale);
}

/** Returns the digits without the point, and how many of them are after it; negative for zeros to add. */
function partsOf(text: string) {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  return { sign, digits: whole + fraction, scale: fraction.length - Number(exponent) };
}

/** Returns the digits without zeros at either end, and the exponent of the last one. */
function significant(text: string): string {
  const { digits, scale } = partsOf(text);
  const isZero = (at: number): boolean => digits.charCodeAt(at) === ZERO;
  // The expression /0+$/ takes quadratic time for zeros that another digit follows.
  let end = digits.length;
  while (end > 0 && isZero(end - 1)) end--;
  let start = 0;
  while (start < end && isZero(start)) start++;
  return end === 0 ? '' : `${digits.slice(start, end)}e${digits.length - end - scale}`;
}

const ZERO = 0x30;
