import fc from 'fast-check';
import { compileExpression } from '../../src/index.js';

/** Returns the reasons for which a new definition with this expression is refused. */
function mistakes(source: string): string[] {
  return compileExpression(source, new Map([['x', 0]])).mistakes.map(({ reason }) => reason);
}

const UNITS = ['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'year'];
const SHORT_UNITS = ['ms', 's', 'sec', 'm', 'min', 'h', 'd', 'w', 'mo', 'y'];

describe('constant arguments that can give no meant result', () => {
  it.each([
    ["date_add(x, 1, 'fortnight')", '"date_add" has no unit "fortnight"; it accepts millisecond, second,'],
    ["date_diff(x, x, 'quarters')", '"date_diff" has no unit "quarters"; it accepts millisecond, second,'],
    ["date_add(x, 1, 'mounth')", '"date_add" has no unit "mounth"; did you mean "month"?'],
    [
      "date_add(x, 1, 'M')",
      '"date_add" has no unit "M"; write mo or month for months, m or minute for minutes',
    ],
    ["date_diff(x, x, 'M')", '"date_diff" has no unit "M"; write mo or month for months'],
    ["date_add(x, 1, '')", '"date_add" accepts the units millisecond, second,'],
    ["date_add(x, 0.5, 'month')", '"date_add" adds only whole months and years'],
    ["date_add(x, -1.5, 'years')", '"date_add" adds only whole months and years'],
    ["date_add(x, '1', 'day')", '"date_add" needs a number, got a text'],
    ["date_add('2024-13-01', 1, 'day')", '"date_add" needs a date like 2026-01-31'],
    ["date_diff(x, 'tomorrow')", '"date_diff" needs a date like 2026-01-31'],
    ["date_format('2016-12-31T23:59:60Z', 'YYYY')", '"date_format" needs a date like 2026-01-31'],
    ["year('0000-01-01')", '"year" needs a date like 2026-01-31'],
    ["format('31.01.2026', 'YYYY-MM-DD')", '"format" needs a date like 2026-01-31'],
    ["format(x, 'percent', '€')", '"format" uses a third argument only for \'currency\''],
    ["format(x, 'YYYY-MM-DD', 'nl')", '"format" uses a third argument only for \'currency\''],
    ['round(x, 16)', '"round" accepts 0 to 15 digits'],
    ['round(x, -1)', '"round" accepts 0 to 15 digits'],
    ['round(x, 1.5)', '"round" accepts 0 to 15 digits'],
    ["round(x, '2')", '"round" needs a number, got a text'],
    ["floor('1')", '"floor" needs a number, got a text'],
    ["abs('1')", '"abs" needs a number, got a text'],
    ["sum(x, '1')", '"sum" needs a number, got a text'],
    ['max(1, null)', '"max" needs a number, got null'],
    ['substring(x, -3)', '"substring" counts from the start; write 0 or more'],
    ['substring(x, 0, -1)', '"substring" counts from the start; write 0 or more'],
    ["substring(x, 'a')", '"substring" needs a number, got a text'],
    ["pad_start(x, '5')", '"pad_start" needs a number, got a text'],
    ["pad_end(x, 5, '')", '"pad_end" needs a text to fill with, and got an empty one'],
    ["replace(x, '', '-')", '"replace" needs a text to search for, and got an empty one'],
    ['at(x, 0.5)', '"at" needs a whole number'],
    ["join(x, '\\d')", 'a string has no escape \\d; write \\\\ for a backslash, and \\n, \\t or \\r'],
    [
      "replace(x, '\\s+', ' ')",
      'a string has no escape \\s; write \\\\ for a backslash, and \\n, \\t or \\r',
    ],
    ["x + '\\u00e9'", 'a string has no escape \\u; write'],
    ["x + '\\x41'", 'a string has no escape \\x; write'],
    ["x + '\\0'", 'a string has no escape \\0; write'],
  ])('%s is refused with what to write', (source, message) => {
    expect(mistakes(source)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    "date_add(x, 1, 'Days')",
    "date_add(x, -1.5, 'd')",
    "date_add(x, 2.0, 'mo')",
    'date_add(x, x, x)',
    "date_diff('2024-01-31', 1706659200)",
    "format(x, 'currency', '€')",
    'round(x, 0)',
    'round(x, 15)',
    'substring(x, 0, 0)',
    'at(x, -1)',
    "at(x, 'key')",
    "pad_start(x, 0, '0')",
    "replace(x, '.', '')",
    "x + '\\n\\t\\r\\\\\\'\\\"\\{\\ \\/\\é'",
  ])('%s is accepted', (source) => {
    expect(mistakes(source)).toEqual([]);
  });

  it('any word is a unit in both functions or in none, with a message that names the units', () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'smhdwyoniMSHDWY'), maxLength: 4 }),
      fc.constantFrom(...UNITS, ...UNITS.map((unit) => `${unit}s`), ...SHORT_UNITS),
    );
    fc.assert(
      fc.property(word, (unit) => {
        const known = UNITS.includes(unit.toLowerCase().replace(/(?<=...)s$/, ''));
        const isUnit = unit !== 'M' && (known || SHORT_UNITS.includes(unit.toLowerCase()));
        for (const source of [`date_add(x, 1, '${unit}')`, `date_diff(x, x, '${unit}')`])
          expect(mistakes(source)).toHaveLength(isUnit ? 0 : 1);
      }),
    );
  });
});
