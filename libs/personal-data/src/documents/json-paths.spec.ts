import { parseColumnRule } from '@understudy/column-rule';
import fc from 'fast-check';
import { WordLists } from '../values/word-lists.js';
import { detectJsonPaths } from './detect-json-paths.js';
import { type DocumentPaths, JsonPathCollector } from './json-paths.js';
import { ValueSample } from './value-sample.js';

const NO_LISTS = new WordLists(new Map());

/** Collects documents in pieces of at most `size` characters. */
function collect(documents: readonly string[], size = 7): DocumentPaths {
  const collector = new JsonPathCollector();
  for (const document of documents) {
    for (let at = 0; at < document.length; at += size) collector.write(document.slice(at, at + size));
    collector.end();
  }
  return collector.result();
}

/** Returns the paths and texts that JSON.parse finds. */
function textsOf(document: string): readonly string[] {
  const visit = (value: unknown, path: string): string[] => {
    if (Array.isArray(value)) return value.flatMap((element) => visit(element, `${path}[*]`));
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([key, member]) => {
        const step = /^[\p{L}\p{N}_-]+$/u.test(key) && !/^\d+$/.test(key) ? key : JSON.stringify(key);
        return visit(member, `${path}${path === '' ? '' : '.'}${step}`);
      });
    }
    return path === '' || typeof value !== 'string' ? [] : [`${path} ${value}`];
  };
  return visit(JSON.parse(document), '');
}

describe('JsonPathCollector', () => {
  it('returns paths in the syntax of column rules', () => {
    const documents = [
      '{"a": {"b.c": "x", "7": "z"}, "list": [{"n": 1}, {"n": 2}]}',
      '[{"deep": [["y"]]}]',
      'not json',
      '"bare"',
    ];
    expect(collect(documents).paths.map(({ path, values }) => [path, values])).toEqual([
      ['a."b.c"', ['x']],
      ['a."7"', ['z']],
      ['list[*].n', ['1', '2']],
      ['[*].deep[*][*]', ['y']],
    ]);
  });

  it('returns paths that parse as column rules, for any documents', () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 5 }), { maxLength: 5 }), fc.string(), (others, key) => {
        const documents = [...others, JSON.stringify({ [key]: { [key]: 'x' } })];
        for (const { path } of collect(documents).paths) {
          const parsed = parseColumnRule({ json: { [path]: { generator: 'en_US/first_names' } } }, 'rule');
          expect([path, 'problems' in parsed]).toEqual([path, false]);
        }
      }),
    );
  });

  it('finds the same texts as JSON.parse, if a document arrives in pieces of any size', () => {
    const anyJson = fc.json({ maxDepth: 5, stringUnit: 'binary' });
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 1, max: 9 }), (document, size) => {
        const { paths } = collect([document], size);
        const numeric = paths.filter(({ type }) => type === 'numeric').map(({ path }) => path);
        const found = paths.flatMap(({ path, type, values }) =>
          type === 'text' ? values.map((value) => `${path} ${value}`) : [],
        );
        // A path with more numbers than texts is returned with its numbers.
        const expected = textsOf(document).filter(
          (line) => !numeric.some((path) => line.startsWith(`${path} `)),
        );
        expect([...found].sort()).toEqual([...expected].sort());
      }),
    );
  });

  it('distinguishes escapes, null characters, lone surrogates and repeated keys from the structure', () => {
    const document = String.raw`{"a": "\\\"}\u0041\u0000", "a": "second", "\ud800": "\udfff", "__proto__": {"x": "y"}, "*": "z", "": 1}`;
    for (const size of [1, 2, 100]) {
      expect(collect([document], size).paths.map(({ path, values }) => [path, values])).toEqual([
        ['a', ['\\"}A\0', 'second']],
        [String.raw`"\ud800"`, ['\udfff']],
        ['__proto__.x', ['y']],
        ['"*"', ['z']],
        ['""', ['1']],
      ]);
    }
  });

  it('counts addresses in keys, and at places that no path of a rule names', () => {
    const deep = `${'['.repeat(10_000)}"deep@mail.example"${']'.repeat(10_000)}`;
    const members = Array.from({ length: 3_000 }, (_, i) => `"k${i}": "v"`).join(', ');
    const wide = `{${members}, "last": "wide@mail.example"}`;
    const long = `{"${'k'.repeat(600)}": "long@mail.example", "anna@mail.example": 1}`;
    const { paths, elsewhere, levels } = collect([deep, wide, long, '"root@mail.example"'], 1_000);
    expect([elsewhere, levels, paths.length]).toEqual([5, 10_000, 1_000]);
  });

  it('finds an address at the end of a long text, and samples an array up to its last element', () => {
    const elements = Array.from({ length: 5_000 }, (_, i) => `"${i < 4_000 ? 'x' : 'y'}"`).join(',');
    const pad = 'x '.repeat(50_000);
    const { paths } = collect([`{"pad": "${pad}ask ann@mail.example", "list": [${elements}]}`], 999);
    expect(paths[0]?.values[0]).toMatch(/^(x ){250}$/);
    expect(paths[0]?.mentions).toEqual({ seen: 1, email: 1, phone: 0, other: 0 });
    expect(paths[1]?.values.length).toBeLessThanOrEqual(200);
    expect(new Set(paths[1]?.values)).toEqual(new Set(['x', 'y']));
  });
});

describe('ValueSample', () => {
  it.each([2, 3, 16, 50])(
    'keeps some of the values that occur once in %d values, in their order',
    (period) => {
      for (let phase = 0; phase < period; phase += Math.ceil(period / 16)) {
        const sample = new ValueSample(500);
        for (let i = 0; i < 200_000; i++) sample.add(i % period === phase ? `rare ${i}` : 'x');
        expect(sample.values.length).toBeGreaterThan(200);
        expect(sample.values.length).toBeLessThanOrEqual(500);
        const rare = sample.values.filter((value) => value !== 'x').map((value) => Number(value.slice(5)));
        expect([phase, rare.length]).not.toEqual([phase, 0]);
        expect(rare).toEqual([...rare].sort((a, b) => a - b));
      }
    },
  );
});

describe('detectJsonPaths', () => {
  it('returns only the outer path if one path is inside another', () => {
    const values = [
      '{"email": "a@b.example"}',
      '{"email": {"email": "c@d.example"}}',
      '{"email": "e@f.example"}',
    ];
    const { personal } = detectJsonPaths({ table: 't', column: 'doc' }, collect(values).paths, NO_LISTS);
    expect(personal.map(({ location }) => location.path)).toEqual(['email']);
  });
});
