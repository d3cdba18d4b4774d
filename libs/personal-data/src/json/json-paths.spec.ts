import { parseColumnRule } from '@understudy/column-rule';
import fc from 'fast-check';
import { WordLists } from '../values/word-lists.js';
import { detectJsonPaths } from './detect-json-paths.js';
import { jsonPaths } from './json-paths.js';

const NO_LISTS = new WordLists(new Map());

describe('jsonPaths', () => {
  it('returns paths in the syntax of column rules', () => {
    const documents = [
      '{"a": {"b.c": "x"}, "list": [{"n": 1}, {"n": 2}]}',
      '[{"deep": [["y"]]}]',
      'not json',
      '"bare"',
    ];
    expect(jsonPaths(documents).map(({ path, values }) => [path, values])).toEqual([
      ['a."b.c"', ['x']],
      ['list[*].n', ['1', '2']],
      ['[*].deep[*][*]', ['y']],
    ]);
  });

  it('returns paths that parse as column rules, for any documents', () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 5 }), { maxLength: 5 }), (documents) => {
        const locations = jsonPaths(documents);
        for (const { path } of locations.filter((location) => location.path.length < 100)) {
          const parsed = parseColumnRule({ json: { [path]: { generator: 'en_US/first_names' } } }, 'rule');
          expect([path, 'problems' in parsed]).toEqual([path, false]);
        }
      }),
    );
  });
});

describe('detectJsonPaths', () => {
  it('returns only the outer path if one path is inside another', () => {
    const values = [
      '{"email": "a@b.example"}',
      '{"email": {"email": "c@d.example"}}',
      '{"email": "e@f.example"}',
    ];
    const found = detectJsonPaths({ table: 't', column: 'doc', type: 'jsonb', values }, NO_LISTS);
    expect(found.map(({ location }) => location.path)).toEqual(['email']);
  });
});
