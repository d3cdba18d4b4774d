import fc from 'fast-check';
import { compileExpression, compileTemplate } from '../../src/index.js';
import { mistakeInPattern } from '../../src/calendar/pattern-mistakes.js';

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

/** Removes the text in brackets and the tokens, longest first. What is left must have no letters. */
function isTokensOnly(pattern: string): boolean {
  const runs = pattern.replace(/\[[^\]]*\]/g, ' ').match(/(\p{L})\1*/gu) ?? [];
  return runs.every((run) => TOKENS.includes(run));
}

describe('date patterns', () => {
  it.each([
    [
      'yyyy-MM-dd',
      '"yyyy" is no token of a date pattern; write YYYY for the year, or [yyyy] for the letters, as in YYYY-MM-DD',
    ],
    [
      'dd/MM/YYYY',
      '"dd" is no token of a date pattern; write DD for the day of the month, or [dd] for the letters, as in DD/MM/YYYY',
    ],
    [
      'hh:mm A',
      '"hh" is no token of a date pattern; write HH for the hours from 00 to 23, or [hh] for the letters, as in HH:mm [A]',
    ],
    ['HH:mm A', '"A" is no token of a date pattern; write [A] for the letters, as in HH:mm [A]'],
    [
      'YYYY-MM-DDTHH:mm',
      '"T" is no token of a date pattern; write [T] for the letters, as in YYYY-MM-DD[T]HH:mm',
    ],
    ['Do MMM', '"o" is no token of a date pattern; write [o] for the letters, as in D[o] MMM'],
    [
      'DD. MMMM, Mittwoch',
      '"ittwoch" is no token of a date pattern; write [ittwoch] for the letters, as in DD. MMMM, [Mittwoch]',
    ],
    ['%Y-%m-%d', `"%Y" is no token of a date pattern; write YYYY, or [%Y] for the letters, as in YYYY-MM-DD`],
    ['%d/%m/%Y', `"%d" is no token of a date pattern; write DD, or [%d] for the letters, as in DD/MM/YYYY`],
    ['%H:%M:%S', `"%H" is no token of a date pattern; write HH, or [%H] for the letters, as in HH:mm:ss`],
    ['%H:%M', `"%H" is no token of a date pattern; write HH, or [%H] for the letters, as in HH:mm`],
    ['%H h %M', `"%H" is no token of a date pattern; write HH, or [%H] for the letters, as in HH [h] mm`],
    [
      '%-d. %B %Y',
      `"%-d" is no token of a date pattern; write D, or [%-d] for the letters, as in D. MMMM YYYY`,
    ],
    [
      '%FT%T',
      `"%F" is no token of a date pattern; write YYYY-MM-DD, or [%F] for the letters, as in YYYY-MM-DD[T]HH:mm:ss`,
    ],
    [
      '%d.%m.%Y %H:%i:%s',
      `"%d" is no token of a date pattern; write DD, or [%d] for the letters, as in DD.MM.YYYY HH:mm:ss`,
    ],
    ['%Y%y', `"%Y" is no token of a date pattern; write YYYY, or [%Y] for the letters, as in YYYY[]YY`],
    [
      'DD %B YYYY',
      '"%B" is no token of a date pattern; write MMMM, or [%B] for the letters, as in DD MMMM YYYY',
    ],
    ['%p %H', `"%p" is no token of a date pattern; write [%p] for the letters`],
    [
      '%YYYY-%MM',
      `"%YYYY" is no token of a date pattern; write YYYY, or [%YYYY] for the letters, as in YYYY-MM`,
    ],
    [
      'YYYY-MM-DD HH24:MI:SS',
      `"HH24" is no token of a date pattern; write HH, or [HH24] for the letters, as in YYYY-MM-DD HH:mm:ss`,
    ],
    [
      'YYYYMMDDHH24MISS',
      `"HH24" is no token of a date pattern; write HH, or [HH24] for the letters, as in YYYYMMDDHHmmss`,
    ],
    [
      'YYYY-MM-DD HH24',
      `"HH24" is no token of a date pattern; write HH, or [HH24] for the letters, as in YYYY-MM-DD HH`,
    ],
    [
      'DD Mon YYYY',
      `"Mon" is no token of a date pattern; write MMM, or [Mon] for the letters, as in DD MMM YYYY`,
    ],
    ['HH:mm:SS', `"SS" is no token of a date pattern; write ss, or [SS] for the letters, as in HH:mm:ss`],
    ['YYYY年', '"年" is no token of a date pattern; write [年] for the letters, as in YYYY[年]'],
    [
      'HH:mm:ss.SSSSSS',
      '"SSSSSS" is no token of a date pattern; write SSS for the milliseconds, or [SSSSSS] for the letters, as in HH:mm:ss.SSS',
    ],
    [
      'YYYY-DDD',
      '"DDD" is no token of a date pattern; write DD for the day of the month, or [DDD] for the letters, as in YYYY-DD',
    ],
    [
      'YYYY-MM-DDTHH:mm:ssZ',
      '"T" is no token of a date pattern; write [T] for the letters, as in YYYY-MM-DD[T]HH:mm:ss[Z]',
    ],
    [
      'dd.MM.yy',
      '"dd" is no token of a date pattern; write DD for the day of the month, or [dd] for the letters, as in DD.MM.YY',
    ],
    ['HH:mm Uhr', '"Uhr" is no token of a date pattern; write [Uhr] for the letters, as in HH:mm [Uhr]'],
    [
      'D de MMMM',
      '"de" is no token of a date pattern; write DD for the day of the month, or [de] for the letters, as in D [de] MMMM',
    ],
    [
      '[on] YYYY at HH',
      '"at" is no token of a date pattern; write [at] for the letters, as in [on] YYYY [at] HH',
    ],
    [
      'YYYY年M月D日',
      '"年" is no token of a date pattern; write [年] for the letters, as in YYYY[年]M[月]D[日]',
    ],
    [
      'EEEE d LLLL u',
      '"EEEE" is no token of a date pattern; write ddd or dddd for the day of the week, or [EEEE] for the letters, as in dddd D MMMM YYYY',
    ],
    [
      'yyyy-mm-dd',
      '"yyyy" is no token of a date pattern; write YYYY for the year, or [yyyy] for the letters, as in YYYY-MM-DD',
    ],
    ['HH:MM', '"MM" is the month; write mm for the minutes, as in HH:mm'],
    ['[Q1] 2026', 'a date pattern needs at least one token, such as YYYY, MM, DD, HH, mm or ss'],
    ['2006-01-02', 'a date pattern needs at least one token, such as YYYY, MM, DD, HH, mm or ss'],
    ['H:M [h]', '"M" is the month; write mm for the minutes, as in H:mm [h]'],
    ['YYYY-MM-DD HH:MM:ss', '"MM" is the month; write mm for the minutes, as in YYYY-MM-DD HH:mm:ss'],
    ['YYYY-mm-DD', '"mm" is the minutes; write MM for the month, as in YYYY-MM-DD'],
    ['mm/YY', '"mm" is the minutes; write MM for the month, as in MM/YY'],
    ['ДД.ММ.ГГГГ', '"ДД" is no token of a date pattern; write [ДД] for the letters'],
  ])('%s has a mistake, and the message has the spelling to use', (pattern, message) => {
    expect(mistakeInPattern(pattern)).toBe(message);
    for (const source of [`date_format(t, '${pattern}')`, `1 + date_format(t, '${pattern}')`]) {
      const { mistakes } = compileExpression(source, new Map([['t', 0]]));
      expect(mistakes.map(({ reason }) => reason)).toEqual([message]);
    }
    const { mistakes } = compileTemplate(`on {{date_format(t, '${pattern}')}}`, new Map([['t', 0]]));
    expect(mistakes).toHaveLength(1);
  });

  it('shows a text in the quotes of other languages in brackets', () => {
    expect(mistakeInPattern("yyyy-MM-dd'T'HH:mm")).toContain('as in YYYY-MM-DD[T]HH:mm');
    expect(mistakeInPattern("D 'de' MMMM")).toContain('as in D [de] MMMM');
    expect(mistakeInPattern("'YY – 'MM")).toBeUndefined();
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
        // With hours, mm can only be the minutes.
        expect(mistakeInPattern(`HH ${pieces.flat().join('')}`)).toBeUndefined();
      }),
    );
  });

  it('the pattern that a message shows has no mistake', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...TOKENS,
        'yyyy',
        'dd',
        'hh',
        'T',
        'Z',
        'Uhr',
        'de',
        '年',
        'Do',
        'SSSSSS',
        '[at]',
        '%Y',
        '%H',
        '%',
        "'T'",
        'HH24',
        'MI',
      ),
      fc.constantFrom(' ', '-', '/', '.', ':', 'ß'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const shown = mistakeInPattern(pieces.join(''))?.split(', as in ')[1];
        fc.pre(shown !== undefined);
        expect(isTokensOnly(shown)).toBe(true);
        expect(mistakeInPattern(shown)).toBeUndefined();
      }),
      { numRuns: 2000 },
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
          const mistake = mistakeInPattern(`${edge}${run}${edge}`);
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
        expect(mistakeInPattern(`${token}-${text}`)).toContain('is no token');
      }),
    );
  });
});
