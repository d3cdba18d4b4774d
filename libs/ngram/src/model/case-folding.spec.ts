import fc from 'fast-check';
import { isNormalized, normalizeValue } from './case-folding.js';

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

describe('isNormalized', () => {
  test('isNormalized returns true only for NFC without lone surrogates', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0x300, 0x301, 0x3099, 0x11a8, 0xac00, 0x418, 0x3046),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 4 }), (units) => {
        const text = String.fromCharCode(...units);
        const normal = text.normalize('NFC').replace(/\p{Surrogate}/gu, '\ufffd');
        if (isNormalized(text, 0, text.length)) expect(text).toBe(normal);
        expect(normalizeValue(text, 'preserve')).toBe(normal);
      }),
      { seed: 1, numRuns: 5_000 },
    );
    const changed = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (text) => isNormalized(text, 0, 1) && text.normalize('NFC') !== text,
    );
    expect(changed).toEqual([]);
  });
});
