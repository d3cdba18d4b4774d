import { unstorableText } from './storable-text.js';

describe('storable text', () => {
  it('finds U+0000 and half surrogate pairs in values and keys', () => {
    const found = unstorableText({ a: ['ok', '\0'], b: { c: '\ud83d' }, d: { '\0': 1 }, e: '😀' });
    expect(found.map(({ field }) => field)).toEqual(['a[1]', 'b.c', 'd']);
  });
});
