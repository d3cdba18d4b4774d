import { exactDecimal, type ExactDecimal } from './exact-decimal.js';

/** The largest number of digits that an exact number may have. Conversion takes more than linear time. */
const MAX_DIGITS = 1000;
const PARTS = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?\d+$/;
/** The shortest form of a double has an exponent from here on. */
const EXPONENT_FROM = 1e21;

/**
 * Parses a decimal number without changing its value. Keeps the digits of integers and of decimals that no
 * double has.
 * @param text a number as in JSON
 * @returns a number whose shortest decimal form has the value of `text`, otherwise a bigint or an ExactDecimal
 * of at most 1,000 digits, without an exponent. Undefined if the number has more digits
 */
export function parseExactNumber(text: string): number | bigint | ExactDecimal | undefined {
  const value = Number(text);
  const isInteger = INTEGER.test(text);
  const isWritten = !isInteger || Math.abs(value) < EXPONENT_FROM;
  if (isWritten && Number.isFinite(value) && significant(text) === significant(String(value))) return value;
  const { sign, digits, scale } = partsOf(text);
  if (text.length > MAX_DIGITS || digits.length + Math.abs(scale) > MAX_DIGITS) return undefined;
  const unscaled = BigInt(`${sign}${digits}`);
  return scale > 0 ? exactDecimal(unscaled, scale) : unscaled * 10n ** BigInt(-scale);
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
export function toDecimal(value: number | bigint | ExactDecimal): ExactDecimal {
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
  const { digits: all, scale } = partsOf(text);
  const digits = all.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : `${kept}e${digits.length - kept.length - scale}`;
}
