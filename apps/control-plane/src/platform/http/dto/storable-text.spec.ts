import { unstorableText } from './storable-text.js';

describe('unstorableText', () => {
  it('finds U+0000 and unpaired surrogates in values and keys', () => {
    const found = unstorableText({ a: ['ok', '\0'], b: { c: '\ud83d' }, d: { '\0': 1 }, e: '😀' });
    expect(found.map(({ field }) => field)).toEqual(['a[1]', 'b.c', 'd']);
  });
});
