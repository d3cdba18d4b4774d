import fc from 'fast-check';

import { comparableText, isVisible } from './comparable-text.js';

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
    '\u2800',
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

it('sees letters, digits, signs and emoji, but no blank text', () => {
  for (const text of ['a', '7', '-', '🙂', ' x ']) expect(isVisible(text)).toBe(true);
  for (const text of ['', ' ', '\u00a0\u3000', '\u200b\u2060', '\u3164', '\u2800', '\u202e\ufeff', 5])
    expect(isVisible(text)).toBe(false);
});
