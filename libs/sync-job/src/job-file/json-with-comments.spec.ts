import { parseExactJson, roundedNumbers, writeExactJson } from '@understudy/expression';

import { parseJsonWithComments } from './json-with-comments.js';

const TEXT = `{
  // The name of the job.
  "name": "copy", // not above the next field
  "tables": [
    {
      "name": "customers",
      "columns": {
        // looks like an e-mail address
        // (98 % of the sampled values)
        "email": { "preserve": true },
        /* TO DECIDE: health */
        "e\\"mail": { "preserve": true },
        "id": { "preserve": true },
      },
    },
  ],
}`;

describe('parseJsonWithComments', () => {
  it('returns the comment lines directly above a field', () => {
    const { commentAbove, problems } = parseJsonWithComments(TEXT);
    expect(problems).toEqual([]);
    expect(
      ['name', 'tables', 'tables[0].columns.email', 'tables[0].columns["e\\"mail"]'].map(commentAbove),
    ).toEqual([
      'The name of the job.',
      undefined,
      'looks like an e-mail address\n(98 % of the sampled values)',
      'TO DECIDE: health',
    ]);
    expect(['tables[0].columns.id', 'nothing'].map(commentAbove)).toEqual([undefined, undefined]);
  });

  it('returns no comment for text that is nested too deeply', () => {
    const { problems, commentAbove } = parseJsonWithComments(`// deep\n${'['.repeat(101)}`);
    expect(problems).toEqual([{ field: '', message: 'expected at most 100 nested levels', offset: 108 }]);
    expect(commentAbove('')).toBeUndefined();
  });

  it.each(['9007199254740993', '-0.12345678901234567890'])(
    'keeps the digits of %s, which a double would round',
    (number) => {
      const { value, problems } = parseJsonWithComments(`{"a": [1.50, /* id */ ${number}], "b": 1e21}`);
      expect(problems).toEqual([]);
      expect(writeExactJson(value)).toBe(`{"a":[1.5,${number}],"b":1e+21}`);
    },
  );

  it('refuses a number of more than 1,000 digits at its position', () => {
    const { problems } = parseJsonWithComments(`{"a": [1.50, /* id */ 1e1001]}`);
    const message =
      'this number would be rounded; write it with at most 1000 digits and no exponent, or as a text';
    expect(problems).toEqual([{ field: 'a[1]', message, offset: 22 }]);
  });

  it('refuses exponents that add more than 100,000 zeros, as a request does', () => {
    const texts = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? '1e999' : '1e21'));
    const { value, problems } = parseJsonWithComments(`[${texts.join(', ')}]`);
    const inRequest = parseExactJson(`[${texts.join()}]`);
    expect(roundedNumbers(inRequest)).toEqual([]);
    expect(writeExactJson(value)).toBe(writeExactJson(inRequest));
    expect(problems).toEqual([]);
    const more = texts.map(() => '1e-999').join();
    const rounded = roundedNumbers(parseExactJson(`[${more}]`)).map(([index]) => `[${String(index)}]`);
    expect(rounded).toHaveLength(100);
    expect(parseJsonWithComments(`[${more}]`).problems.map(({ field }) => field)).toEqual(rounded);
  });
});
