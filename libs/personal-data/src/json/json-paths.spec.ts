import { parseColumnRule } from '@understudy/column-rule';
import fc from 'fast-check';
import { WordLists } from '../values/word-lists.js';
import { detectJsonPaths } from './detect-json-paths.js';
import { jsonPaths } from './json-paths.js';

const NO_LISTS = new WordLists(new Map());

describe('places of documents', () => {
  it('are paths as column rules write them', () => {
    const documents = [
      '{"a": {"b.c": "x"}, "list": [{"n": 1}, {"n": 2}]}',
      '[{"deep": [["y"]]}]',
      'no json',
      '"bare"',
    ];
    expect(jsonPaths(documents).map(({ path, values }) => [path, values])).toEqual([
      ['a."b.c"', ['x']],
      ['list[*].n', ['1', '2']],
      ['[*].deep[*][*]', ['y']],
    ]);
  });

  it('of any documents make rules that can be read, none inside another', () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 5 }), { maxLength: 5 }), (documents) => {
        const places = jsonPaths(documents);
        for (const { path } of places.filter((place) => place.path.length < 100)) {
          const parsed = parseColumnRule({ json: { [path]: { generator: 'en_US/first_names' } } }, 'rule');
          expect([path, 'problems' in parsed]).toEqual([path, false]);
        }
      }),
    );
  });

  it('that lie in each other get one rule', () => {
    const values = [
      '{"email": "a@b.example"}',
      '{"email": {"email": "c@d.example"}}',
      '{"email": "e@f.example"}',
    ];
    const found = detectJsonPaths({ table: 't', column: 'doc', type: 'jsonb', values }, NO_LISTS);
    expect(found.map(({ place }) => place.path)).toEqual(['email']);
  });
});
