import type { JsonSteps } from '@understudy/column-rule';
import { JsonTextError } from '@understudy/masking';
import fc from 'fast-check';
import { jsonPathFinder } from './json-path-finder.js';

function matchesOf(text: string, paths: readonly JsonSteps[]): string[] {
  const matches: string[] = [];
  jsonPathFinder(paths)(text, (path, start, end) => matches.push(`${path}: ${text.slice(start, end)}`));
  return matches;
}

/** Returns the values that a path names in a parsed document, in the order of the document. */
function walk(value: unknown, [step, ...rest]: JsonSteps): unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value)) {
    if (typeof step === 'string') return [];
    return value.flatMap((item: unknown, i) => (step === null || step === i ? walk(item, rest) : []));
  }
  if (typeof value !== 'object' || value === null || typeof step !== 'string') return [];
  return Object.hasOwn(value, step) ? walk((value as Record<string, unknown>)[step], rest) : [];
}

const key = fc.constantFrom('a', 'b', '', '__proto__', 'é"\\', '0');
const step = fc.oneof(key, fc.nat(2), fc.constant(null));
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('document'), { maxLength: 4 }),
    fc.dictionary(key, tie('document'), { maxKeys: 4 }),
  ),
}));

describe('jsonPathFinder', () => {
  it('finds the same values as a walk through the parsed document, in the order of the text', () => {
    fc.assert(
      fc.property(
        document,
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(undefined, 1, '\t'),
        (value, steps, indent) => {
          const text = JSON.stringify(value, null, indent);
          const found: unknown[] = [];
          jsonPathFinder([steps])(text, (_, start, end) => found.push(JSON.parse(text.slice(start, end))));
          expect(found).toEqual(walk(JSON.parse(text), steps));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('finds whole objects and arrays, both of two equal keys, and numbers in their original form', () => {
    expect(
      matchesOf('{"a" : {"x": [1, {}]} , "b":[1.50,-0, 1e400,12345678901234567890.1], "a":"\\u0000"}', [
        ['a'],
        ['b', null],
      ]),
    ).toEqual([
      '0: {"x": [1, {}]}',
      '1: 1.50',
      '1: -0',
      '1: 1e400',
      '1: 12345678901234567890.1',
      '0: "\\u0000"',
    ]);
  });

  it('distinguishes paths that start with the same steps', () => {
    const paths = [
      ['a', null, 'x'],
      ['a', 1, 'y'],
      ['a', 0, 'z', 'x'],
    ];
    expect(
      matchesOf('{"a": [{"x": 1, "y": 2, "z": {"x": 3}}, {"x": 4, "y": 5, "z": {"x": 6}}]}', paths),
    ).toEqual(['0: 1', '2: 3', '0: 4', '1: 5']);
  });

  it.each([
    ['text that is not JSON', '{"a": secret}'],
    ['a comment', '{"a": 1 /* secret */}'],
    ['a hundred thousand levels', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('refuses %s without quoting the text', (_, text) => {
    expect(() => matchesOf(text, [['a']])).toThrow(JsonTextError);
    expect(() => matchesOf(text, [['a']])).not.toThrow(/secret/);
  });
});
