import { prefixOf } from './bucket-options.js';

describe('the prefix of a bucket', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['a', 'a/'],
    ['a/', 'a/'],
    ['staging/eu-1/_understudy.v1', 'staging/eu-1/_understudy.v1/'],
    ['day=1/', 'day=1/'],
  ])('of %j is %j', (prefix, expected) => {
    expect(prefixOf({ bucket: 'b', ...(prefix !== undefined && { prefix }) })).toBe(expected);
  });

  it('may not be what is no plain folder', () => {
    const long = [`${'x'.repeat(201)}`, 'a/'.repeat(300)];
    for (const prefix of ['/', '/a/', 'a//', 'a//b', '..', '../', 'a/./', 'ü/', 'a b/', ...long])
      expect(() => prefixOf({ bucket: 'b', prefix })).toThrow(RangeError);
  });
});
