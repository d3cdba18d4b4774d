import fc from 'fast-check';
import { compileExpression, compileTemplate } from '../../src/index.js';
import { strayLetters } from '../../src/calendar/format-pattern.js';

const TOKENS = [
  'YYYY',
  'YY',
  'MMMM',
  'MMM',
  'MM',
  'M',
  'DD',
  'D',
  'dddd',
  'ddd',
  'HH',
  'H',
  'mm',
  'ss',
  'SSS',
];

describe('date patterns', () => {
  it.each([
    [
      'yyyy-MM-dd',
      '"yyyy" is no token of a date pattern; write YYYY for the year, or [yyyy] for the letters',
    ],
    [
      'dd/MM/YYYY',
      '"dd" is no token of a date pattern; write DD for the day of the month, or [dd] for the letters',
    ],
    [
      'hh:mm A',
      '"hh" is no token of a date pattern; write HH for the hours from 00 to 23, or [hh] for the letters',
    ],
    ['HH:mm A', '"A" is no token of a date pattern; write [A] for the letters'],
    ['YYYY-MM-DDTHH:mm', '"T" is no token of a date pattern; write [T] for the letters'],
    ['Do MMM', '"o" is no token of a date pattern; write [o] for the letters'],
    ['DD. MMMM, Mittwoch', '"ittwoch" is no token of a date pattern; write [ittwoch] for the letters'],
    ['%Y-%m-%d', '"Y" is no token of a date pattern; write YYYY for the year, or [Y] for the letters'],
    ['YYYY年', '"年" is no token of a date pattern; write [年] for the letters'],
    [
      'HH:mm:ss.SSSSSS',
      '"SSSSSS" is no token of a date pattern; write SSS for the milliseconds, or [SSSSSS] for the letters',
    ],
    [
      'YYYY-DDD',
      '"DDD" is no token of a date pattern; write DD for the day of the month, or [DDD] for the letters',
    ],
    ['ДД.ММ.ГГГГ', '"ДД" is no token of a date pattern; write [ДД] for the letters'],
  ])('%s has a mistake, and the message has the spelling to use', (pattern, message) => {
    expect(strayLetters(pattern)).toBe(message);
    for (const source of [`date_format(t, '${pattern}')`, `1 + date_format(t, '${pattern}')`]) {
      const { mistakes } = compileExpression(source, new Map([['t', 0]]));
      expect(mistakes.map(({ reason }) => reason)).toEqual([message]);
    }
    const { mistakes } = compileTemplate(`on {{date_format(t, '${pattern}')}}`, new Map([['t', 0]]));
    expect(mistakes).toHaveLength(1);
  });

  it('format has the same mistakes, but only in date patterns', () => {
    const mistakes = (style: string) =>
      compileExpression(`format(t, '${style}')`, new Map([['t', 0]])).mistakes.length;
    expect(['dd/MM/yyyy', 'DD/MM/YYYY', 'number', 'currency', 'percent'].map(mistakes)).toEqual([
      1, 0, 0, 0, 0,
    ]);
  });

  it('a constant style that "format" never accepts is a mistake', () => {
    const mistakes = (style: string) =>
      compileExpression(`format(t, '${style}')`, new Map([['t', 0]])).mistakes.map(({ reason }) => reason);
    for (const style of ['yyyy', 'Number', 'H:M', '', 'SSS'])
      expect(mistakes(style)).toEqual([expect.stringContaining('"format" accepts')]);
  });

  it('tokens, texts in brackets and characters other than letters are no mistakes, in any order', () => {
    const piece = fc.oneof(
      fc.constantFrom(...TOKENS),
      fc.string().map((text) => `[${text.replaceAll(']', '')}]`),
      fc.constantFrom(' ', '-', '/', '.', ',', ':', '0', '9', '’', '#'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.constantFrom(' ', '-', '[]', '[at]'))), (pieces) => {
        // Neighbouring tokens may join to another one, such as "ddd" and "ddd" to "dddd" and "dd".
        expect(strayLetters(pieces.flat().join(''))).toBeUndefined();
      }),
    );
  });

  it('a letter that is repeated more or less often than in a token is a mistake, which names all of them', () => {
    const letter = fc.constantFrom(...new Set(TOKENS.join('')));
    fc.assert(
      fc.property(
        letter,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('', '-', '[at]'),
        (one, count, edge) => {
          const run = one.repeat(count);
          const mistake = strayLetters(`${edge}${run}${edge}`);
          if (TOKENS.includes(run)) expect(mistake).toBeUndefined();
          else expect(mistake).toContain(`"${run}" is no token`);
        },
      ),
    );
  });

  it('any letter that begins no token is a mistake, wherever it is', () => {
    const letter = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(letter, fc.constantFrom(...TOKENS, ''), (text, token) => {
        fc.pre(/^\p{L}/u.test(text) && !/^[YMDHdms S]/.test(text));
        expect(strayLetters(`${token}-${text}`)).toContain('is no token');
      }),
    );
  });
});
