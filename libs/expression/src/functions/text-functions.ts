import { codePointLength, codePointSlice } from '../code-points.js';
import { EvaluationError } from '../errors.js';
import { LIMITS } from '../limits.js';
import { equal } from '../values/operators.js';
import { number } from '../values/operand.js';
import { tooLong, withinTextLimit } from '../values/render-text.js';
import { includesText, splitText } from '../values/search-text.js';
import { tooManyValues } from '../values/value-size.js';
import {
  anything,
  array,
  pure,
  type PureFunction,
  type Reader,
  reading,
  text,
} from './expression-function.js';
import { slug, toAscii } from './to-ascii.js';

/** Functions on text. Other values are converted as in a template. Lengths are in code points. */
export const TEXT_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['lowercase', pure(1, 1, (value) => withinTextLimit(text(value).toLowerCase()))],
  ['uppercase', pure(1, 1, (value) => withinTextLimit(text(value).toUpperCase()))],
  ['capitalize', pure(1, 1, (value) => withinTextLimit(text(value).replace(/^./su, upper)))],
  ['title', pure(1, 1, (value) => withinTextLimit(titled(text(value))))],
  ['trim', pure(1, 1, (value) => withinTextLimit(text(value).trim()))],
  ['ascii', pure(1, 1, (value) => withinTextLimit(toAscii(text(value))))],
  ['slug', pure(1, 1, (value) => withinTextLimit(slug(text(value))))],
  ['length', pure(1, 1, (value) => (Array.isArray(value) ? value.length : codePointLength(text(value))))],
  reading('substring', [anything, position], pure(2, 3, substring)),
  reading(
    'replace',
    [anything, filled('search for'), anything],
    pure(3, 3, (value, search, by) => replace(text(value), text(search), text(by))),
  ),
  ['concat', pure(1, 100, (...values) => joinTexts(values, ''))],
  ['split', pure(2, 2, (value, separator) => split(text(value), text(separator)))],
  reading(
    'join',
    [array, anything],
    pure(1, 2, (values, separator = ',') => joinTexts(array(values, 'join'), text(separator))),
  ),
  ...(['pad_start', 'pad_end'] as const).map((name) =>
    reading(
      name,
      [anything, number, filled('fill with')],
      pure(2, 3, (value, width, fill) => padded(text(value), width, fill, name)),
    ),
  ),
  ['contains', pure(2, 2, contains)],
  ['starts_with', pure(2, 2, (value, start) => text(value).startsWith(text(start)))],
  ['ends_with', pure(2, 2, (value, end) => text(value).endsWith(text(end)))],
];

/**
 * The first letter of each word, and the second initial of names such as McDonald and O’Neil. The beginning "Mac" is
 * not here, because machine, Mackay and MacKay show that the letters do not decide it. Combining marks and invisible
 * characters belong to the letter before them. The first lookahead keeps the time linear for a text of many marks.
 */
const INITIALS =
  /(?=\p{L})(?<![\p{L}\p{N}'’][\p{M}\p{Cf}]*)((?:mc|[dlmno]['’])(?=\p{L}[\p{M}\p{Cf}]*\p{L}))?(\p{L})/gu;

function titled(value: string): string {
  return value
    .toLowerCase()
    .replace(INITIALS, (_, start: string | undefined, letter: string) =>
      start === undefined ? upper(letter) : upper(start.charAt(0)) + start.slice(1) + upper(letter),
    );
}

function upper(symbol: string): string {
  return symbol.toUpperCase();
}

/** Reads a constant position. A value of a row may be negative, and then counts as 0. */
function position(value: unknown, user: string): void {
  if (number(value, user) < 0)
    throw new EvaluationError(`"${user}" counts from the start; write 0 or more, or compute with length()`);
}

/** Reads a constant without which the function does nothing. */
function filled(use: string): Reader {
  return (value, user) => {
    if (text(value) === '')
      throw new EvaluationError(`"${user}" needs a text to ${use}, and got an empty one`);
  };
}

/** Returns the code points from `start` (0 is the first) up to, but not including, `end`. */
function substring(value: unknown, start: unknown, end?: unknown): string {
  const whole = text(value);
  const from = Math.max(0, number(start, 'substring'));
  const to = end === undefined ? whole.length : Math.max(from, number(end, 'substring'));
  return withinTextLimit(codePointSlice(whole, from, to));
}

function replace(value: string, search: string, by: string): string {
  if (search === '') return withinTextLimit(value);
  const parts = splitText(value, search);
  if (value.length + (parts.length - 1) * (by.length - search.length) > LIMITS.textBytes) throw tooLong();
  return withinTextLimit(parts.join(by));
}

function split(value: string, separator: string): string[] {
  const pieces = splitText(value, separator, LIMITS.arrayValues + 1);
  if (pieces.length > LIMITS.arrayValues) throw tooManyValues();
  return pieces;
}

function joinTexts(values: readonly unknown[], separator: string): string {
  let joined = '';
  values.forEach((value, i) => {
    joined += (i > 0 ? separator : '') + text(value);
    if (joined.length > LIMITS.textBytes) throw tooLong();
  });
  return withinTextLimit(joined);
}

function padded(value: string, width: unknown, fill: unknown = ' ', user: 'pad_start' | 'pad_end'): string {
  const padding = paddingOf(text(fill), Math.floor(number(width, user)) - codePointLength(value));
  return withinTextLimit(user === 'pad_start' ? padding + value : value + padding);
}

/** Repeats `fill` to get `missing` code points. */
function paddingOf(fill: string, missing: number): string {
  if (missing <= 0 || fill === '') return '';
  if (missing > LIMITS.textBytes) throw tooLong();
  const length = codePointLength(fill);
  return fill.repeat(Math.floor(missing / length)) + codePointSlice(fill, 0, missing % length);
}

function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(value)) return array(value, 'contains').some((item) => equal(item, part));
  return includesText(text(value), text(part));
}
