import { builtinLibrary } from '@understudy/builtin-models/node';

import { generateRecords } from '../../engine/worker/generate-records.js';
import { EXAMPLES, schemaText } from './examples.js';

const library = builtinLibrary();

describe('EXAMPLES', () => {
  it.each(EXAMPLES)('generate $title without a warning', ({ schema }) => {
    const text = schemaText(schema);
    const request = {
      kind: 'records',
      schema: text,
      seed: 42,
      count: 100,
      nowMs: 0,
      format: 'json',
    } as const;
    expect(generateRecords(request, library)).toMatchObject({ kind: 'records', warnings: [] });
  });
});

describe('schemaText', () => {
  it('writes short values in one line, and divides the others', () => {
    const text = schemaText({ a: [], b: { c: [1, 'two', null] }, long: ['x'.repeat(40), 'y'.repeat(40)] });
    expect(text).toBe(
      `{\n  "a": [],\n  "b": { "c": [1, "two", null] },\n  "long": [\n    "${'x'.repeat(40)}",\n    "${'y'.repeat(40)}"\n  ]\n}\n`,
    );
  });

  it.each([[], {}, null, 3, 'text', [[{}]]])('writes %j as JSON', (value) => {
    expect(JSON.parse(schemaText(value))).toEqual(value);
  });
});
