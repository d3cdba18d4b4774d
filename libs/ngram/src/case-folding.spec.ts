import { normalizeValue } from './case-folding.js';

describe('normalizeValue', () => {
  test.each([
    ['preserve', 'McDONALD', 'McDONALD'],
    ['lower', 'ÉMILE Zola', 'émile zola'],
    ['title', "o'BRIEN-smith VAN dyke", "O'Brien-Smith Van Dyke"],
    ['title', 'ÉMILE', 'Émile'],
    ['title', '', ''],
  ] as const)('%s: %s', (folding, value, expected) => {
    expect(normalizeValue(value, folding)).toBe(expected);
  });

  test('composes to NFC and replaces lone surrogates', () => {
    expect(normalizeValue('Zoe\u0308', 'preserve')).toBe('Zo\u00eb');
    expect(normalizeValue('a\ud83db', 'preserve')).toBe('a\ufffdb');
    expect(normalizeValue('a\ude00', 'preserve')).toBe('a\ufffd');
    expect(normalizeValue('a\u{1f600}b', 'preserve')).toBe('a\u{1f600}b');
  });
});
