import { EvaluationError } from '../../src/errors.js';
import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }), // also lone surrogates and control characters
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', "'", 'É', 'ß', 'İ', '😀', '\ud83d', '\0') }),
);
/** Generates texts of only two letters, so that parts repeat and overlap. */
const repetitive = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });
const count = fc.integer({ min: 0, max: 30 });

function law<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  predicate: (...values: T) => void,
): void {
  fc.assert(fc.property(...arbitraries, predicate));
}

describe('case and alphabet', () => {
  test('lowercase and uppercase follow Unicode, without a locale', () => {
    law([anyText], (x) => {
      expect(evaluate('lowercase(x)', { x })).toBe(x.toLowerCase());
      expect(evaluate('uppercase(x)', { x })).toBe(x.toUpperCase());
    });
  });

  test('capitalize changes only the first character', () => {
    law([anyText], (x) => {
      const [first = '', ...rest] = Array.from(x);
      expect(evaluate('capitalize(x)', { x })).toBe(first.toUpperCase() + rest.join(''));
    });
  });

  test('title changes only the case, and handles each word separately', () => {
    law([anyText, anyText], (x, y) => {
      const titled = String(evaluate('title(x)', { x }));
      expect(titled.toLowerCase().toUpperCase()).toBe(x.toLowerCase().toUpperCase());
      expect(evaluate('title(both)', { both: `${x} | ${y}` })).toBe(
        `${titled} | ${String(evaluate('title(y)', { y }))}`,
      );
    });
  });

  test('title treats a letter and its combining accent as the composed letter', () => {
    const title = (x: string): string => String(evaluate('title(x)', { x }));
    const words = fc.string({ unit: fc.constantFrom('a', 'é', 'ñ', 'm', 'c', 'o', '’', '-', ' ') });
    law([words], (x) => {
      expect(title(x.normalize('NFD')).normalize('NFC')).toBe(title(x));
    });
    const hidden = fc.constantFrom('\u0307', '\u00ad', '\u200d');
    law([fc.constantFrom('i', 'É', 'm'), hidden, fc.constantFrom('s', 'É')], (first, mark, second) => {
      expect(title(first + mark + second)).toBe(first.toUpperCase() + mark + second.toLowerCase());
    });
  });

  test('trim removes white space from both ends and nothing else', () => {
    law([anyText], (x) => {
      const trimmed = String(evaluate('trim(x)', { x }));
      expect(trimmed).not.toMatch(/^\s|\s$/);
      expect(x.split(trimmed).join('')).toMatch(/^\s*$/);
    });
  });

  test('ascii returns ASCII, keeps ASCII unchanged, and converts each character separately', () => {
    law([anyText, anyText], (x, y) => {
      const ascii = (text: string): string => String(evaluate('ascii(text)', { text }));
      expect(Array.from(ascii(x)).every((symbol) => symbol < '\x80')).toBe(true);
      expect(ascii(ascii(x))).toBe(ascii(x));
      expect(ascii(`${x} ${y}`)).toBe(`${ascii(x)} ${ascii(y)}`);
    });
  });

  test('ascii and slug keep something of each word with letters or digits, in any script', () => {
    const letter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
    const word = fc
      .array(fc.oneof(letter, anyText, fc.constantFrom('ь', 'ا', '々', '𒀀', 'ˮ', '\u0301')), { maxLength: 4 })
      .map((parts) => parts.join(''))
      .filter((text) => /[\p{L}\p{N}]/u.test(text));
    law([word], (x) => {
      expect(evaluate('ascii(x)', { x })).toMatch(/[A-Za-z0-9]/);
      expect(evaluate('slug(x)', { x })).not.toBe('');
    });
  });

  test('slug returns words of a-z and 0-9 with single hyphens between them, and is idempotent', () => {
    law([anyText], (x) => {
      const slug = String(evaluate('slug(x)', { x }));
      expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
      expect(evaluate('slug(slug)', { slug })).toBe(slug);
    });
  });
});

describe('parts', () => {
  test('length counts code points', () => {
    law([anyText], (x) => {
      expect(evaluate('length(x)', { x })).toBe(Array.from(x).length);
    });
  });

  test('substring(text, start, end) is a slice of the code points without the end', () => {
    law([anyText, count, count], (x, start, end) => {
      const points = Array.from(x);
      expect(evaluate('substring(x, start, end)', { x, start, end })).toBe(points.slice(start, end).join(''));
      expect(evaluate('substring(x, start)', { x, start })).toBe(points.slice(start).join(''));
      expect(evaluate('substring(x, 0, start) + substring(x, start)', { x, start })).toBe(x);
      expect(evaluate('substring(x, -start - 1, end)', { x, start, end })).toBe(
        points.slice(0, end).join(''),
      );
    });
  });

  test('replace uses both the search and the replacement as plain text', () => {
    law(
      [anyText, fc.oneof(anyText, fc.constantFrom('.', '$', '')), fc.constantFrom('$&', '$1', '\\', '')],
      (x, search, by) => {
        const expected = search === '' ? x : x.split(search).join(by);
        expect(evaluate('replace(x, search, by)', { x, search, by })).toBe(expected);
      },
    );
  });

  test.each([5, 128, 129, 400])('finds parts of up to %d characters like the engine does', (longest) => {
    const part = repetitive(longest).map((text) => text.padEnd(longest, 'ab'));
    law([repetitive(2000), part, fc.array(repetitive(5), { maxLength: 6 })], (noise, search, between) => {
      for (const x of [noise, noise.replaceAll('b', 'a'), between.join(search)]) {
        expect(evaluate('contains(x, search)', { x, search })).toBe(x.includes(search));
        expect(evaluate('split(x, search)', { x, search })).toEqual(x.split(search));
        expect(evaluate("replace(x, search, '-')", { x, search })).toBe(x.split(search).join('-'));
      }
    });
  });

  test('join reverses split', () => {
    law([anyText, anyText], (x, separator) => {
      expect(evaluate('join(split(x, separator), separator)', { x, separator })).toBe(x);
    });
  });

  test('concat joins the texts of its values', () => {
    law([anyText, fc.integer(), fc.boolean()], (x, n, b) => {
      expect(evaluate('concat(x, n, null, b)', { x, n, b })).toBe(`${x}${String(n)}${String(b)}`);
    });
  });

  test('a text starts with, ends with and contains its parts', () => {
    law([anyText, anyText, anyText], (x, y, z) => {
      const all = { x, y, z, whole: x + y + z };
      expect(evaluate('[starts_with(whole, x), contains(whole, y), ends_with(whole, z)]', all)).toEqual([
        true,
        true,
        true,
      ]);
      expect(evaluate('starts_with(x, y)', all)).toBe(x.startsWith(y));
      expect(evaluate('ends_with(x, y)', all)).toBe(x.endsWith(y));
    });
  });

  test('padding repeats its fill up to the width in code points, and never cuts the text', () => {
    law([anyText, count, anyText], (x, width, fill) => {
      const missing = fill === '' ? 0 : Math.max(0, width - Array.from(x).length);
      const points = Array.from(fill);
      const padding = Array.from({ length: missing }, (_, i) => points[i % points.length]).join('');
      expect(evaluate('pad_start(x, width, fill)', { x, width, fill })).toBe(padding + x);
      expect(evaluate('pad_end(x, width, fill)', { x, width, fill })).toBe(x + padding);
    });
  });
});

test('text functions convert other values as a template does', () => {
  law([fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())], (x) => {
    for (const call of [
      'trim(x)',
      "concat(x, '')",
      "replace(x, 'q', '')",
      'pad_end(x, 0)',
      "join(split(x, ''), '')",
    ]) {
      expect(evaluate(call, { x })).toBe(String(x));
    }
  });
  expect(evaluate('trim(x)', { x: [1, 'a', null, { k: true }] })).toBe('[1,"a",null,{"k":true}]');
});

test('widths and positions must be numbers, not text', () => {
  for (const call of [
    "pad_start('a', '3')",
    "substring('abc', '1')",
    "substring('abc', 0, '1')",
    "pad_end('a', null)",
  ]) {
    expect(() => evaluate(call)).toThrow(EvaluationError);
  }
});
