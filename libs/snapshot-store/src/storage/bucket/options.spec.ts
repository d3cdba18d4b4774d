import { keyPrefix } from './options.js';

describe('the prefix of a bucket', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['a', 'a/'],
    ['a/', 'a/'],
    ['staging/eu-1/_understudy.v1', 'staging/eu-1/_understudy.v1/'],
    ['day=1/', 'day=1/'],
  ])('changes %j to %j', (prefix, expected) => {
    expect(keyPrefix({ bucket: 'b', ...(prefix !== undefined && { prefix }) })).toBe(expected);
  });

  it('must be a plain folder', () => {
    const long = [`${'x'.repeat(201)}`, 'a/'.repeat(300)];
    for (const prefix of ['/', '/a/', 'a//', 'a//b', '..', '../', 'a/./', 'ü/', 'a b/', ...long])
      expect(() => keyPrefix({ bucket: 'b', prefix })).toThrow(RangeError);
  });
});
