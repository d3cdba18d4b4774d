import fc from 'fast-check';

import { comparableText, hasInvisible, isName, isVisible } from './comparable-text.js';

it('finds texts that differ in case, compatibility forms and invisible characters', () => {
  const invisible = fc.constantFrom(
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u2060',
    '\u3164',
    '\u202e',
    '\u{e0061}',
    '\u034f',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), invisible, fc.nat(), (text, hidden, at) => {
      const cut = at % (text.length + 1);
      expect(comparableText(text.slice(0, cut) + hidden + text.slice(cut))).toBe(comparableText(text));
      expect(comparableText(text.toUpperCase())).toBe(comparableText(text));
    }),
  );
  expect(comparableText('\u212aim ＣＩ ﬁx')).toBe('kim ci fix');
  expect(comparableText('Ä')).toBe(comparableText('A\u0308'));
  expect(comparableText('A\u034f\u0308')).toBe(comparableText('Ä'));
  expect(comparableText('\u2003ci ')).toBe('ci');
  expect(comparableText('ä')).not.toBe(comparableText('Ä'));
});

it('finds texts that differ in the kind and the number of spaces', () => {
  const blank = fc.stringMatching(
    /^[ \t-\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]{1,3}$/u,
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1 }), blank, (words, between) => {
      expect(comparableText(`${between}${words.join(between)}${between}`)).toBe(words.join(' '));
    }),
  );
  expect(comparableText('a b')).not.toBe(comparableText('ab'));
});

it('counts the characters of a name, and finds the invisible ones', () => {
  expect([isName('🙂🙂', 2), isName('abc', 2), isName('\u200b', 2), isName(7, 2)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['a\u3164', 'a\ufe0f', 'a\u034f', 'a\u200b', 'aé é'].map(hasInvisible)).toEqual([
    ...[true, true, true, true],
    false,
  ]);
});

it('sees letters, digits, signs and emoji, but no blank text', () => {
  for (const text of ['a', '7', '-', '🙂', ' x ']) expect(isVisible(text)).toBe(true);
  for (const text of ['', ' ', '\u00a0\u3000', '\u200b\u2060', '\u3164', '\u2800', '\u202e\ufeff', 5])
    expect(isVisible(text)).toBe(false);
});
