/** What the page says of a function of the expression language. That it is in the table, and its arity, is checked. */
export interface FunctionNote {
  readonly call: string;
  readonly about: string;
  /** An expression of constants; the page shows what it gives. */
  readonly example: string;
}

const note = (call: string, about: string, example: string): FunctionNote => ({ call, about, example });

/** In the order of the page. */
export const FUNCTION_NOTES: Readonly<Record<string, readonly FunctionNote[]>> = {
  Text: [
    note('lowercase(text)', 'In small letters.', "lowercase('Ada')"),
    note('uppercase(text)', 'In capitals.', "uppercase('Ada')"),
    note('capitalize(text)', 'The first letter large, the others as they are.', "capitalize('ada B')"),
    note('title(text)', 'The first letter of each word large, the others small.', "title('ada LOVELACE')"),
    note('trim(text)', 'Without blanks at both ends.', "trim('  Ada ')"),
    note('ascii(text)', 'Letters with marks become plain ones.', "ascii('Zoë Müller')"),
    note('slug(text)', 'Small plain letters and digits, joined by -.', "slug('Crème Brûlée!')"),
    note('length(value)', 'Characters of a text, elements of an array.', "length('Zoë')"),
    note(
      'substring(text, start, end?)',
      'Characters from start (0 is the first) up to end.',
      "substring('Lovelace', 0, 4)",
    ),
    note(
      'replace(text, search, by)',
      'Every occurrence; nothing is a pattern.',
      "replace('1.2.3', '.', '-')",
    ),
    note('concat(value, …)', 'Joined as text.', "concat('n', 1, true)"),
    note('split(text, separator)', 'An array of texts.', "split('a,b', ',')"),
    note(
      'join(array, separator?)',
      'One text; the separator is a comma when left out.',
      "join(['a', 'b'], ' + ')",
    ),
    note(
      'pad_start(text, width, fill?)',
      'Filled up in front; with blanks when fill is left out.',
      "pad_start(7, 3, '0')",
    ),
    note('pad_end(text, width, fill?)', 'Filled up at the end.', "pad_end('a', 3, '.')"),
    note('contains(value, part)', 'Of a text, or an element of an array.', "contains('Ada', 'd')"),
    note('starts_with(text, start)', '', "starts_with('Ada', 'A')"),
    note('ends_with(text, end)', '', "ends_with('Ada', 'A')"),
  ],
  Numbers: [
    note(
      'round(number, digits?)',
      'To so many decimals, 0 when left out; halves away from zero.',
      'round(2.345, 2)',
    ),
    note('floor(number)', 'The whole number below.', 'floor(-1.5)'),
    note('ceil(number)', 'The whole number above.', 'ceil(1.2)'),
    note('abs(number)', 'Without sign.', 'abs(-3)'),
    note('min(number, …)', 'The least, also of one array.', 'min(3, 1, 2)'),
    note('max(number, …)', 'The greatest, also of one array.', 'max([3, 1, 2])'),
    note('sum(number, …)', 'Also of one array.', 'sum([1, 2, 3])'),
    note(
      'format(value, style, sign?)',
      "`'number'`, `'percent'`, `'currency'` with its sign, or a date pattern. The same on every machine.",
      "format(1234.5, 'currency', '€')",
    ),
  ],
  'Dates, in UTC': [
    note(
      'date_add(date, amount, unit)',
      'Units: second, minute, hour, day, week, month, year.',
      "date_add('2026-01-31', 1, 'month')",
    ),
    note(
      'date_diff(from, to, unit?)',
      'Whole units, days when left out.',
      "date_diff('2026-01-01', '2026-03-01')",
    ),
    note(
      'date_format(date, pattern)',
      'Tokens YYYY MM DD HH mm ss and others.',
      "date_format('2026-01-05', 'DD.MM.YYYY')",
    ),
    note('year(date)', '', "year('2026-01-05')"),
    note('month(date)', '', "month('2026-01-05')"),
    note('day(date)', '', "day('2026-01-05')"),
  ],
  Choice: [
    note('if(test, then, else?)', 'Null without else. Also `test ? then : else`.', "if(2 > 1, 'yes', 'no')"),
    note('coalesce(value, …)', 'The first that is not null.', "coalesce(null, 'x')"),
    note('first(array)', 'Null of an empty one.', 'first([1, 2])'),
    note('last(array)', '', 'last([1, 2])'),
    note(
      'at(value, index)',
      'Element from 0, negative from the end; or member of an object.',
      "at(['a', 'b'], -1)",
    ),
  ],
  'Random, drawn anew for each row and place': [
    note('pick(value, …)', 'One of them, or of the elements of one array.', "pick('a', 'b', 'c')"),
    note('uuid()', 'A random UUID. Without arguments the brackets may be left out.', 'uuid'),
  ],
};
