import { readOptions, writeOptions } from './options-json.js';

const DECLARED = {
  type: 'object',
  properties: { max_rows: { type: 'integer', minimum: 1, maximum: 9 } },
} as const;

describe('the options without a field of their own', () => {
  it('are written as JSON, and read again', () => {
    const text = writeOptions({ max_rows: 5, dry_run: true }, DECLARED);
    expect(text).toBe('{"max_rows":5}');
    expect(readOptions(text, DECLARED)).toEqual({ max_rows: 5 });
  });

  it('are an empty text if the job has none', () => {
    expect(writeOptions({ unlisted_tables: 'reject', dry_run: true })).toBe('');
    expect(readOptions('')).toEqual({});
  });

  it.each(['{"max_rows":0}', '{"other":1}', '{"dry_run":true}', '[]', 'null', '1'])(
    'are refused if they are not known and valid: %s',
    (text) => {
      expect(() => readOptions(text, DECLARED)).toThrow(TypeError);
    },
  );
});
