/** The largest number of digits that an exact integer may have. Conversion takes more than linear time. */
const MAX_DIGITS = 1000;
const PARTS = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INTEGER = /^-?\d+$/;

/**
 * Parses a decimal number without changing its value.
 * @param text a number as in JSON
 * @returns a number whose shortest decimal form has the value of `text`, otherwise a bigint if `text` is an
 * integer of at most 1,000 digits, otherwise undefined
 */
export function parseExactNumber(text: string): number | bigint | undefined {
  const value = Number(text);
  if (Number.isFinite(value) && significant(text) === significant(String(value))) return value;
  return INTEGER.test(text) && text.length <= MAX_DIGITS ? BigInt(text) : undefined;
}

/** Returns the digits without zeros at either end, and the exponent of the last one. */
function significant(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
