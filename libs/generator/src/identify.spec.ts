import { identify } from './identify.js';

describe('identify', () => {
  const LISTS: readonly (readonly unknown[])[] = [
    [],
    [null],
    [0],
    ['0'],
    [false],
    [''],
    [[]],
    [{}],
    [1, 2],
    [[1, 2]],
    ['1,2'],
    [10n ** 17n],
    ['100000000000000000'],
    ['\0n100000000000000000'],
    ['\0\0n100000000000000000'],
    [{ bigint: '100000000000000000' }],
    [10n ** 17n, 1],
    ['\0n100000000000000000', 1],
  ];

  it('gives different values different keys', () => {
    expect(new Set(LISTS.map(identify)).size).toBe(LISTS.length);
  });

  it('gives the same values the same key', () => {
    for (const list of LISTS) expect(identify(structuredClone(list) as unknown[])).toBe(identify(list));
  });
});
