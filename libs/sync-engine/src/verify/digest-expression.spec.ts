import { digestExpressions } from './digest-expression.js';

const INT4 = { type: 23, element: 0, name: 'integer' };
const INT8 = { type: 20, element: 0, name: 'bigint' };
const TEXT = { type: 25, element: 0, name: 'text' };
const MOOD = { type: 16400, element: 0, name: 'public.mood' };

describe('the digest of a row', () => {
  it('hashes built-in values by their type, texts by their bytes and other values by their text form', () => {
    const { source, target } = digestExpressions([
      { name: 'id', source: INT4, target: INT4 },
      { name: 'no"te', source: TEXT, target: TEXT },
      { name: 'mood', source: MOOD, target: { ...MOOD, type: 17000 } },
      {
        name: 'tags',
        source: { type: 1009, element: 25, name: 'text[]' },
        target: { type: 1009, element: 25, name: 'text[]' },
      },
    ]);
    expect(source).toBe(
      'pg_catalog.hashfloat8extended(pg_catalog.hash_record_extended(ROW("id", ("no""te") COLLATE pg_catalog."C", ROW("mood")::pg_catalog.text COLLATE pg_catalog."C", ("tags") COLLATE pg_catalog."C"), 0)::pg_catalog.float8, 0)',
    );
    expect(target).toBe(source);
  });

  it("converts the source's value to the target's type if the types differ, as COPY does", () => {
    const { source, target } = digestExpressions([{ name: 'n', source: INT4, target: INT8 }]);
    expect(source).toContain(`pg_catalog.format('%s', "n") END)::bigint`);
    expect(target).toContain('(ROW("n"), 0)');
    const moods = digestExpressions([{ name: 'm', source: TEXT, target: MOOD }]);
    expect(moods.source).toBe(moods.target);
  });
});
