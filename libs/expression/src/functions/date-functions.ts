import { civilFromDays, DAY_MS } from '../calendar/civil-date.js';
import { addUnits, UNIT_NAMES, unitNamed, unitsBetween, type Unit } from '../calendar/duration.js';
import { formatPattern } from '../calendar/format-pattern.js';
import {
  EARLIEST_MS,
  formatDate,
  formatInstant,
  INSTANT_FORMS,
  INSTANT_VALUES,
  LATEST_MS,
  parseInstant,
} from '../calendar/instant.js';
import { mistakeInPattern } from '../calendar/pattern-mistakes.js';
import { EvaluationError } from '../errors.js';
import { nameHint } from '../parse/name-hints.js';
import { number, typeName } from '../values/operand.js';
import { withinTextLimit } from '../values/render-text.js';
import { problemOf, pure, type PureFunction, reading, text } from './expression-function.js';

const THIRD_IS_UNIT = new Map([[2, clearUnit]]);

/** Functions on dates and date-times, in UTC. */
export const DATE_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['date_add', { ...pure(3, 3, dateAdd), mistakeIn: mistakeInStep, dataReaders: THIRD_IS_UNIT }],
  reading('date_diff', [instant, instant, writtenUnit], {
    ...pure(2, 3, (from, to, name = 'day') =>
      unitsBetween(instant(from, 'date_diff'), instant(to, 'date_diff'), unit(name, 'date_diff')),
    ),
    dataReaders: THIRD_IS_UNIT,
  }),
  reading(
    'date_format',
    [instant, writtenPattern],
    pure(2, 2, (value, pattern) =>
      withinTextLimit(formatPattern(instant(value, 'date_format'), text(pattern))),
    ),
  ),
  reading(
    'year',
    [instant],
    pure(1, 1, (value) => civil(value, 'year').year),
  ),
  reading(
    'month',
    [instant],
    pure(1, 1, (value) => civil(value, 'month').month),
  ),
  reading(
    'day',
    [instant],
    pure(1, 1, (value) => civil(value, 'day').day),
  ),
];

/**
 * Converts a text that `parseInstant` accepts, or a number of Unix seconds, to milliseconds since 1970.
 * @throws EvaluationError for any other value, or for a year that is not from 1 to 9999
 */
export function instant(value: unknown, user: string): number {
  const ms =
    typeof value === 'string'
      ? parseInstant(text(value))
      : typeof value === 'number'
        ? millisecondsOf(value)
        : undefined;
  if (ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS) return ms;
  const got = typeof value === 'string' || typeof value === 'number' ? 'another value' : typeName(value);
  throw new EvaluationError(
    `"${user}" needs a date like ${INSTANT_FORMS} ${INSTANT_VALUES}, or Unix seconds, got ${got}`,
  );
}

/** Converts seconds to the whole milliseconds that have begun. Reads the decimals as written: 1.001 is 1001 ms. */
function millisecondsOf(seconds: number): number {
  // The product may be rounded up or down, by less than 1. The quotient is the double that is nearest to the decimal.
  const ms = Math.ceil(seconds * 1000);
  return ms / 1000 > seconds ? ms - 1 : ms;
}

/**
 * Adds units to a date. The result has no time if `value` has none, the unit is a day or longer, and the
 * result is at midnight. Otherwise, the result is a date-time.
 */
function dateAdd(value: unknown, amount: unknown, name: unknown): string {
  const step = unit(name, 'date_add');
  const count = number(amount, 'date_add');
  checkWhole(count, step);
  const ms = addUnits(instant(value, 'date_add'), count, step);
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS))
    throw new EvaluationError('the result of "date_add" is outside of the years 1 to 9999');
  const dateOnly =
    typeof value === 'string' && value.length <= 10 && ms % DAY_MS === 0 && step.ms % DAY_MS === 0;
  return dateOnly ? formatDate(ms) : formatInstant(ms);
}

/** @throws EvaluationError for a fraction of a month or year */
function checkWhole(count: number, step: Unit): void {
  if (step.months > 0 && !Number.isInteger(count))
    throw new EvaluationError('"date_add" adds only whole months and years');
}

function mistakeInStep([value, amount, name]: readonly unknown[]): string | undefined {
  const user = 'date_add';
  const mistake =
    problemOf(instant, value, user) ?? problemOf(number, amount, user) ?? problemOf(writtenUnit, name, user);
  if (mistake !== undefined || amount === undefined || name === undefined) return mistake;
  return problemOf(() => checkWhole(number(amount, user), writtenUnit(name, user)), name, user);
}

function unit(name: unknown, user: string): Unit {
  const found = unitNamed(text(name));
  if (found === undefined) throw new EvaluationError(`"${user}" accepts the units ${UNIT_LIST}`);
  return found;
}

const UNIT_LIST = `${UNIT_NAMES.slice(0, -1).join(', ')} and ${UNIT_NAMES.at(-1)}`;
const WORD = /^[A-Za-z]{1,20}$/;

/** Returns the name of a unit. Refuses `M`, which is a month in some languages and a minute in others. */
function clearUnit(name: unknown, user: string): unknown {
  if (name !== 'M') return name;
  throw new EvaluationError(
    `"${user}" has no unit "M"; write mo or month for months, m or minute for minutes`,
  );
}

/** Reads a constant unit. */
function writtenUnit(name: unknown, user: string): Unit {
  clearUnit(name, user);
  if (typeof name === 'string' && WORD.test(name) && unitNamed(name) === undefined) {
    const hint = nameHint(name.toLowerCase(), UNIT_NAMES) || `; it accepts ${UNIT_LIST}`;
    throw new EvaluationError(`"${user}" has no unit "${name}"${hint}`);
  }
  return unit(name, user);
}

/** Reads a constant pattern. Refuses letters that are no tokens. */
function writtenPattern(pattern: unknown): string {
  const mistake = mistakeInPattern(text(pattern));
  if (mistake !== undefined) throw new EvaluationError(mistake);
  return text(pattern);
}

function civil(value: unknown, user: string): ReturnType<typeof civilFromDays> {
  return civilFromDays(Math.floor(instant(value, user) / DAY_MS));
}
