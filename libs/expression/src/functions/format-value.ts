import { formatPattern, isDatePattern } from '../calendar/format-pattern.js';
import { mistakeInPattern } from '../calendar/pattern-mistakes.js';
import { EvaluationError } from '../errors.js';
import { absolute, compute, MULTIPLY } from '../values/arithmetic.js';
import { integerOf } from '../values/exact-number.js';
import { doubleOrInteger } from '../values/operand.js';
import { withinTextLimit } from '../values/render-text.js';
import { instant } from './date-functions.js';
import { problemOf, text } from './expression-function.js';

/**
 * Implements `format(value, style)`. The styles are `'number'` (1,234.568), `'currency'` ($1,234.50, or the
 * sign in the third argument), `'percent'` (12.5% for 0.125), and patterns of date tokens. The notation does
 * not depend on the machine's locale.
 */
export function formatValue(value: unknown, style: unknown, sign: unknown = '$'): string {
  switch (style) {
    case 'number':
      return grouped(doubleOrInteger(value, 'format'), 3, true);
    case 'percent':
      return `${grouped(compute(MULTIPLY, value, 100, 'format'), 2, true)}%`;
    case 'currency': {
      const amount = doubleOrInteger(value, 'format');
      const digits = grouped(absolute(amount), 2, false);
      return withinTextLimit(`${amount < 0 && /[1-9]/.test(digits) ? '-' : ''}${text(sign)}${digits}`);
    }
  }
  if (typeof style === 'string' && isDatePattern(text(style))) {
    return withinTextLimit(formatPattern(instant(value, 'format'), style));
  }
  throw new EvaluationError(ACCEPTED);
}

const ACCEPTED = "\"format\" accepts 'number', 'currency', 'percent' and date patterns like 'YYYY-MM-DD'";

/** Returns a message about constants that `format` never accepts, or of which it uses only a part. */
export function mistakeInFormat(args: readonly unknown[]): string | undefined {
  const [value, style] = args;
  if (style === undefined) return undefined;
  const isNumber = ['number', 'currency', 'percent'].includes(style as string);
  if (!isNumber && (typeof style !== 'string' || !isDatePattern(style))) return ACCEPTED;
  if (args.length > 2 && style !== 'currency') return ONLY_FOR_CURRENCY;
  if (isNumber) return problemOf(doubleOrInteger, value, 'format');
  return mistakeInPattern(style as string) ?? problemOf(instant, value, 'format');
}

const ONLY_FOR_CURRENCY = '"format" uses a third argument only for \'currency\'; remove it';

/** Separates thousands by commas. `trim` drops zeros at the end of the fraction. */
function grouped(value: number | bigint, digits: number, trim: boolean): string {
  if (typeof value === 'number' && Math.abs(value) >= 1e21) return String(value);
  const [whole = '0', fraction = ''] = withDecimals(absolute(value), digits).split('.');
  const kept = trim ? fraction.replace(/0+$/, '') : fraction;
  const written = whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (kept === '' ? '' : `.${kept}`);
  return value < 0 && /[1-9]/.test(written) ? `-${written}` : written;
}

/** Writes integers with the digits that they have everywhere else: `toFixed` writes those of the exact double. */
function withDecimals(value: number | bigint, digits: number): string {
  const integer = integerOf(value);
  return integer === undefined ? (value as number).toFixed(digits) : `${integer}.${'0'.repeat(digits)}`;
}
