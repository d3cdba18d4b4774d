import fc from 'fast-check';

import { writeJson } from './write-json.js';

describe('writing JSON', () => {
  it('is what JSON.stringify writes, where that writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(writeJson(value)).toBe(JSON.stringify(value))));
  });

  it('writes integers above 2^53 in full, wherever they are', () => {
    expect(writeJson({ a: [10n ** 18n, 'x'], b: { c: -1n, d: null } })).toBe(
      '{"a":[1000000000000000000,"x"],"b":{"c":-1,"d":null}}',
    );
  });
});
