/** The largest number of digits that an exact integer may have. Conversion takes more than linear time. */
const MAX_DIGITS = 1000;
const PARTS = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?\d+$/;
/** The shortest form of a double has an exponent from here on. */
const EXPONENT_FROM = 1e21;

/**
 * Parses a decimal number without changing its value or, for integers, its digits.
 * @param text a number as in JSON
 * @returns a number whose shortest decimal form has the value of `text`, a bigint if `text` is another integer
 * of at most 1,000 digits without an exponent, otherwise undefined
 */
export function parseExactNumber(text: string): number | bigint | undefined {
  const value = Number(text);
  const isInteger = INTEGER.test(text);
  const isWritten = !isInteger || Math.abs(value) < EXPONENT_FROM;
  if (isWritten && Number.isFinite(value) && significant(text) === significant(String(value))) return value;
  return isInteger && text.length <= MAX_DIGITS ? BigInt(text) : undefined;
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

/** Returns the digits without zeros at either end, and the exponent of the last one. */
function significant(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
