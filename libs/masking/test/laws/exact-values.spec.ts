import { parseExactJson, writeExactJson } from '@understudy/expression';
import fc from 'fast-check';

import { canonicalJson } from '../../src/compile/masking-keys.js';
import { jsonForm, textForm } from '../../src/values/text-form.js';

const digits = fc.stringMatching(/^[1-9][0-9]{16,58}[1-9]$/);
const longNumber = fc.oneof(
  digits,
  digits.map((text) => `-0.${text}`),
);

describe('a generated value with numbers that no double prints', () => {
  it('has all their digits as a text, in a document and in the key of its column', () => {
    fc.assert(
      fc.property(longNumber, longNumber, (first, second) => {
        for (const json of [first, `[${first}]`, `{"a":{"b":[${first},${second}]}}`]) {
          const value = parseExactJson(json);
          expect(textForm(value)).toBe(json);
          expect(jsonForm(value, 'c')).toBe(json);
          expect(canonicalJson(value)).toBe(writeExactJson(value));
        }
      }),
    );
  });
});
