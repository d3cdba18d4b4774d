import { civilFromDays, DAY_MS } from '../calendar/civil-date.js';
import { addUnits, unitNamed, unitsBetween, type Unit } from '../calendar/duration.js';
import { formatPattern, strayLetters } from '../calendar/format-pattern.js';
import {
  EARLIEST_MS,
  formatDate,
  formatInstant,
  INSTANT_FORMS,
  LATEST_MS,
  parseInstant,
} from '../calendar/instant.js';
import { EvaluationError } from '../errors.js';
import { number, typeName } from '../values/operand.js';
import { withinTextLimit } from '../values/render-text.js';
import { pure, type PureFunction, text } from './expression-function.js';

/** Functions on dates and date-times, in UTC. */
export const DATE_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['date_add', pure(3, 3, dateAdd)],
  [
    'date_diff',
    pure(2, 3, (from, to, name = 'day') =>
      unitsBetween(instant(from, 'date_diff'), instant(to, 'date_diff'), unit(name, 'date_diff')),
    ),
  ],
  [
    'date_format',
    {
      ...pure(2, 2, (value, pattern) =>
        withinTextLimit(formatPattern(instant(value, 'date_format'), text(pattern))),
      ),
      mistakeIn: ([, pattern]) => (typeof pattern === 'string' ? strayLetters(pattern) : undefined),
    },
  ],
  ['year', pure(1, 1, (value) => civil(value, 'year').year)],
  ['month', pure(1, 1, (value) => civil(value, 'month').month)],
  ['day', pure(1, 1, (value) => civil(value, 'day').day)],
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
        ? value * 1000
        : undefined;
  if (ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS) return Math.floor(ms);
  const got = typeof value === 'string' || typeof value === 'number' ? 'another value' : typeName(value);
  throw new EvaluationError(`"${user}" needs a date like ${INSTANT_FORMS}, or Unix seconds, got ${got}`);
}

/**
 * Adds units to a date. The result has no time if `value` has none, the unit is a day or longer, and the
 * result is at midnight. Otherwise, the result is a date-time.
 */
function dateAdd(value: unknown, amount: unknown, name: unknown): string {
  const step = unit(name, 'date_add');
  const count = number(amount, 'date_add');
  if (step.months > 0 && !Number.isInteger(count))
    throw new EvaluationError('"date_add" adds only whole months and years');
  const ms = addUnits(instant(value, 'date_add'), count, step);
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS))
    throw new EvaluationError('the result of "date_add" is outside of the years 1 to 9999');
  const dateOnly =
    typeof value === 'string' && value.length <= 10 && ms % DAY_MS === 0 && step.ms % DAY_MS === 0;
  return dateOnly ? formatDate(ms) : formatInstant(ms);
}

function unit(name: unknown, user: string): Unit {
  const found = unitNamed(text(name));
  if (found === undefined) {
    throw new EvaluationError(`"${user}" accepts the units second, minute, hour, day, week, month and year`);
  }
  return found;
}

function civil(value: unknown, user: string): ReturnType<typeof civilFromDays> {
  return civilFromDays(Math.floor(instant(value, user) / DAY_MS));
}
