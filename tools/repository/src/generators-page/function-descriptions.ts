/**
 * The documentation of one function of the expression language. The page takes the number of arguments from
 * the function table of the language.
 */
export interface FunctionDescription {
  readonly call: string;
  readonly text: string;
  /** An expression without variables. The page shows its result. */
  readonly example: string;
}

const describe = (call: string, text: string, example: string): FunctionDescription => ({
  call,
  text,
  example,
});

/** The functions by group, in the order of the page. */
export const FUNCTION_DESCRIPTIONS: Readonly<Record<string, readonly FunctionDescription[]>> = {
  Text: [
    describe('lowercase(text)', 'Converts the text to lower case.', "lowercase('Ada')"),
    describe('uppercase(text)', 'Converts the text to upper case.', "uppercase('Ada')"),
    describe('capitalize(text)', 'Converts the first letter to upper case.', "capitalize('ada B')"),
    describe(
      'title(text)',
      'Converts the first letter of each word to upper case, the others to lower case. Also gives `McDonald` and `O’Neil`.',
      "title('ada o’neil MCDONALD')",
    ),
    describe('trim(text)', 'Removes white space at both ends.', "trim('  Ada ')"),
    describe(
      'ascii(text)',
      'Replaces letters and digits of all scripts by plain letters and digits, and removes symbols.',
      "ascii('Zoë Müller, Щукина')",
    ),
    describe(
      'slug(text)',
      'Converts the text as `ascii` does. Returns lower-case letters and digits, joined by hyphens.',
      "slug('Crème Brûlée!')",
    ),
    describe(
      'length(value)',
      'Returns the number of characters of a text, or of elements of an array.',
      "length('Zoë')",
    ),
    describe(
      'substring(text, start, end?)',
      'Returns the characters from `start` up to, but not including, `end`. The first has position 0.',
      "substring('Lovelace', 0, 4)",
    ),
    describe(
      'replace(text, search, by)',
      'Replaces every occurrence of `search`, which is plain text.',
      "replace('1.2.3', '.', '-')",
    ),
    describe('concat(value, …)', 'Joins values of any type as text.', "concat('n', 1, true)"),
    describe('split(text, separator)', 'Splits a text into an array.', "split('a,b', ',')"),
    describe(
      'join(array, separator?)',
      'Joins an array to one text. The default separator is a comma.',
      "join(['a', 'b'], ' + ')",
    ),
    describe(
      'pad_start(text, width, fill?)',
      'Adds `fill` at the start up to `width`. The default is a space.',
      "pad_start(7, 3, '0')",
    ),
    describe(
      'pad_end(text, width, fill?)',
      'Adds `fill` at the end up to `width`. The default is a space.',
      "pad_end('a', 3, '.')",
    ),
    describe(
      'contains(value, part)',
      'Checks whether a text contains a text, or an array an element.',
      "contains('Ada', 'd')",
    ),
    describe(
      'starts_with(text, start)',
      'Checks whether the text starts with `start`.',
      "starts_with('Ada', 'A')",
    ),
    describe('ends_with(text, end)', 'Checks whether the text ends with `end`.', "ends_with('Ada', 'A')"),
  ],
  Numbers: [
    describe(
      'round(number, digits?)',
      'Rounds to `digits` decimals (default 0). Halves are rounded away from zero.',
      'round(2.345, 2)',
    ),
    describe('floor(number)', 'Rounds down to an integer.', 'floor(-1.5)'),
    describe('ceil(number)', 'Rounds up to an integer.', 'ceil(1.2)'),
    describe('abs(number)', 'Returns the absolute value.', 'abs(-3)'),
    describe('min(number, …)', 'Returns the smallest number. Accepts one array too.', 'min(3, 1, 2)'),
    describe('max(number, …)', 'Returns the largest number. Accepts one array too.', 'max([3, 1, 2])'),
    describe(
      'sum(number, …)',
      'Adds the numbers. The result is the same in any order. Accepts one array too.',
      'sum([1, 2, 3])',
    ),
    describe(
      'format(value, style, sign?)',
      "Formats as `'number'`, `'percent'` or `'currency'`, or with a date pattern. It uses no locale.",
      "format(1234.5, 'currency', '€')",
    ),
  ],
  'Dates, in UTC': [
    describe(
      'date_add(date, amount, unit)',
      'Adds an amount of millisecond, second, minute, hour, day, week, month or year. Short names: ms, s, m or min, h, d, w, mo, y.',
      "date_add('2026-01-31', 1, 'month')",
    ),
    describe(
      'date_diff(from, to, unit?)',
      'Returns the number of whole units between two dates. The default unit is day.',
      "date_diff('2026-01-01', '2026-03-01')",
    ),
    describe(
      'date_format(date, pattern)',
      'Formats a date. Tokens: YYYY YY MMMM MMM MM M DD D dddd ddd HH H mm ss SSS. Write other letters in brackets: [T].',
      "date_format('2026-01-05', 'DD.MM.YYYY')",
    ),
    describe('year(date)', 'Returns the year.', "year('2026-01-05')"),
    describe('month(date)', 'Returns the month, 1 to 12.', "month('2026-01-05')"),
    describe('day(date)', 'Returns the day of the month.', "day('2026-01-05')"),
  ],
  Choice: [
    describe(
      'if(test, then, else?)',
      'Returns `then` if the test is true, otherwise `else` or null. Same as `test ? then : else`.',
      "if(2 > 1, 'yes', 'no')",
    ),
    describe('coalesce(value, …)', 'Returns the first value that is not null.', "coalesce(null, 'x')"),
    describe('first(array)', 'Returns the first element, or null if there is none.', 'first([1, 2])'),
    describe('last(array)', 'Returns the last element, or null if there is none.', 'last([1, 2])'),
    describe(
      'at(value, index)',
      'Returns an element by position (0 is the first, -1 the last), or a member by name.',
      "at(['a', 'b'], -1)",
    ),
  ],
  'Random values': [
    describe(
      'pick(value, …)',
      'Picks one argument, or one element of a single array.',
      "pick('a', 'b', 'c')",
    ),
    describe('uuid()', 'Returns a random UUID. You may omit the parentheses.', 'uuid'),
  ],
};
