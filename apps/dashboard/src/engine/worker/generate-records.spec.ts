import { builtinLibrary } from '@understudy/builtin-models/node';

import { generateRecords } from './generate-records.js';
import type { RecordsRequest } from './messages.js';

const library = builtinLibrary();

function generate(schema: unknown, more: Partial<RecordsRequest> = {}) {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
  return generateRecords(
    { kind: 'records', schema: text, seed: 1, count: 2, nowMs: 0, format: 'json', ...more },
    library,
  );
}

const SCHEMA = {
  generators: {
    n: { type: 'svc', algorithm: 'sequence' },
    name: { type: 'list', values: ['\uFEFF"é"'] },
    tags: { type: 'list', values: [['a', { b: null }]] },
  },
  output: ['n', 'name', 'tags'],
};

describe('generateRecords', () => {
  it.each([
    [
      'json' as const,
      '[{"n":1,"name":"\uFEFF\\"é\\"","tags":["a",{"b":null}]},{"n":2,"name":"\uFEFF\\"é\\"","tags":["a",{"b":null}]}]',
    ],
    [
      'ndjson' as const,
      '{"n":1,"name":"\uFEFF\\"é\\"","tags":["a",{"b":null}]}\n{"n":2,"name":"\uFEFF\\"é\\"","tags":["a",{"b":null}]}\n',
    ],
  ])('writes %s as one text', (format, text) => {
    expect(generate(SCHEMA, { format })).toEqual({
      kind: 'records',
      output: { kind: 'text', text },
      warnings: [],
    });
  });

  it('gives the JSON text of each value for a table', () => {
    expect(generate(SCHEMA, { format: 'table' })).toMatchObject({
      output: {
        kind: 'table',
        columns: ['n', 'name', 'tags'],
        rows: [
          ['1', '"\uFEFF\\"é\\""', '["a",{"b":null}]'],
          ['2', '"\uFEFF\\"é\\""', '["a",{"b":null}]'],
        ],
      },
    });
  });

  it('keeps numbers that a double would change, and refuses those of more than 1,000 digits', () => {
    const schema = (number: string) =>
      `{"generators":{"n":{"type":"list","values":[${number}]}},"output":["n"]}`;
    for (const number of ['1099511627776123456', '0.12345678901234567890'])
      expect(generate(schema(number), { count: 1 })).toMatchObject({
        output: { text: `[{"n":${number}}]` },
      });
    expect(generate(schema('1e1001'))).toMatchObject({
      kind: 'refused',
      problems: [{ path: 'generators.n.values[0]' }],
    });
  });

  it('reports warnings with paths in the schema', () => {
    const day = { type: 'svc', algorithm: 'datetime_between', params: { end: '2026-03-01' } };
    const response = generate({ generators: { day }, output: ['day'] }, { count: 1 });
    expect(response).toMatchObject({ kind: 'records', warnings: [{ path: 'generators.day.params.end' }] });
  });

  it('reports all problems of a schema with their paths', () => {
    const dice = { type: 'svc', algorithm: 'int_between', params: { min: 9, max: 3 } };
    expect(generate({ generators: { dice, none: { type: 'nothing' } }, output: ['dice'] })).toMatchObject({
      kind: 'refused',
      problems: [
        { path: 'generators.dice.params.min', message: expect.stringContaining('9') },
        { path: 'generators.none.type', message: expect.any(String) },
      ],
    });
  });

  it('reports the generator that cannot give a value', () => {
    const upto = { type: 'list', values: [1], where: 'item >= n' };
    const schema = { generators: { ...SCHEMA.generators, upto }, output: ['upto'] };
    const response = generate(schema);
    expect(response).toMatchObject({
      kind: 'refused',
      problems: [{ path: expect.stringMatching(/^generators\.upto/) }],
    });
  });

  it('refuses text that is not JSON, and JSON that is no schema', () => {
    const problems = ['{"generators": ', '[]', 'null', '{}'].map((text) => generate(text));
    expect(problems.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused', 'refused']);
    expect(problems[0]).toMatchObject({
      problems: [{ path: '', message: expect.stringMatching(/^expected JSON/) }],
    });
  });

  it('names the models and generators that only the organisation may have', () => {
    const generators = {
      street: { type: 'model', source: 'custom/streets' },
      misspelt: { type: 'svc', algorithm: 'seq' },
      mistaken: { type: 'model', source: 'en_US/firstnames' },
      badge: { use: '@acme/people:badge' },
      first: { type: 'model', source: 'en_US/first_names' },
    };
    expect(generate({ generators, output: ['street'] })).toMatchObject({
      kind: 'refused',
      unknownNames: ['custom/streets', '@acme/people:badge'],
    });
  });
});
