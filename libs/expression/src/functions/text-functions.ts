import { EvaluationError } from '../errors.js';
import { LIMITS } from '../limits.js';
import { equal, number, typeName } from '../operators.js';
import { renderText as text, tooLong, withinTextLimit } from '../render-text.js';
import { pure, type PureFunction } from './expression-function.js';
import { toAscii } from './to-ascii.js';

/** Functions on text. Other values are taken as they would be written in a template; lengths are code points. */
export const TEXT_FUNCTIONS: readonly (readonly [string, PureFunction])[] = [
  ['lowercase', pure(1, 1, (value) => text(value).toLowerCase())],
  ['uppercase', pure(1, 1, (value) => withinTextLimit(text(value).toUpperCase()))],
  ['capitalize', pure(1, 1, (value) => capitalize(text(value)))],
  [
    'title',
    pure(1, 1, (value) =>
      withinTextLimit(
        text(value)
          .toLowerCase()
          .replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, upper),
      ),
    ),
  ],
  ['trim', pure(1, 1, (value) => text(value).trim())],
  ['ascii', pure(1, 1, (value) => withinTextLimit(toAscii(text(value))))],
  ['slug', pure(1, 1, (value) => slug(text(value)))],
  ['length', pure(1, 1, length)],
  ['substring', pure(2, 3, substring)],
  ['replace', pure(3, 3, (value, search, by) => replace(text(value), text(search), text(by)))],
  ['concat', pure(1, 100, (...values) => joinTexts(values, ''))],
  ['split', pure(2, 2, (value, separator) => text(value).split(text(separator)))],
  ['join', pure(1, 2, (values, separator = ',') => joinTexts(array(values, 'join'), text(separator)))],
  [
    'pad_start',
    pure(
      2,
      3,
      (value, width, fill = ' ') => padding(text(value), width, text(fill), 'pad_start') + text(value),
    ),
  ],
  [
    'pad_end',
    pure(
      2,
      3,
      (value, width, fill = ' ') => text(value) + padding(text(value), width, text(fill), 'pad_end'),
    ),
  ],
  ['contains', pure(2, 2, contains)],
  ['starts_with', pure(2, 2, (value, start) => text(value).startsWith(text(start)))],
  ['ends_with', pure(2, 2, (value, end) => text(value).endsWith(text(end)))],
];

export function array(value: unknown, user: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new EvaluationError(`"${user}" needs an array, got ${typeName(value)}`);
}

function upper(symbol: string): string {
  return symbol.toUpperCase();
}

function capitalize(value: string): string {
  return withinTextLimit(value.replace(/^./su, upper));
}

function slug(value: string): string {
  return toAscii(value)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function length(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  let points = 0;
  for (const symbol of text(value)) points += symbol === '' ? 0 : 1;
  return points;
}

/** The code points from `start` (0 is the first) up to `end`, which is left out. */
function substring(value: unknown, start: unknown, end?: unknown): string {
  const whole = text(value);
  const from = Math.max(0, number(start, 'substring'));
  const to = end === undefined ? whole.length : Math.max(from, number(end, 'substring'));
  // Without surrogates units are code points, and a slice costs a fiftieth of an array of characters.
  return SURROGATE.test(whole) ? Array.from(whole).slice(from, to).join('') : whole.slice(from, to);
}

const SURROGATE = /[\ud800-\udfff]/;

function replace(value: string, search: string, by: string): string {
  if (search === '') return value;
  const parts = value.split(search);
  if (value.length + (parts.length - 1) * (by.length - search.length) > LIMITS.textBytes) throw tooLong();
  return withinTextLimit(parts.join(by));
}

function joinTexts(values: readonly unknown[], separator: string): string {
  let joined = '';
  values.forEach((value, i) => {
    joined += (i > 0 ? separator : '') + text(value);
    if (joined.length > LIMITS.textBytes) throw tooLong();
  });
  return withinTextLimit(joined);
}

function padding(value: string, width: unknown, fill: string, user: string): string {
  const missing = Math.floor(number(width, user)) - length(value);
  if (missing <= 0 || fill === '') return '';
  if (missing > LIMITS.textBytes) throw tooLong();
  const points = Array.from(fill);
  return withinTextLimit(Array.from({ length: missing }, (_, i) => points[i % points.length]).join(''));
}

function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => equal(item, part));
  return text(value).includes(text(part));
}
