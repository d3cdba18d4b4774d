import { prefixOf } from './bucket-options.js';

describe('the prefix of a bucket', () => {
  it.each([undefined, '', 'a/', 'staging/eu-1/_understudy.v1/', 'day=1/'])('may be %j', (prefix) => {
    expect(prefixOf({ bucket: 'b', ...(prefix !== undefined && { prefix }) })).toBe(prefix ?? '');
  });

  it.each(['a', '/', '/a/', 'a//', '../', 'a/./', 'ü/', 'a b/', `${'x'.repeat(201)}/`, 'a/'.repeat(300)])(
    'may not be %j',
    (prefix) => {
      expect(() => prefixOf({ bucket: 'b', prefix })).toThrow(RangeError);
    },
  );
});
