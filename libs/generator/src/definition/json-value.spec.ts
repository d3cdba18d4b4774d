import { joinPath, identityOf } from './json-value.js';

describe('joinPath', () => {
  it.each<[string, string | number, string]>([
    ['', 'a', 'a'],
    ['a', 'b', 'a.b'],
    ['a', 3, 'a[3]'],
    ['a', 'kebab-case', 'a.kebab-case'],
    ['a', 'größe', 'a.größe'],
    ['a', '__proto__', 'a.__proto__'],
    ['a', '', 'a[""]'],
    ['a', 'b c', 'a["b c"]'],
    ['a', '3', 'a["3"]'],
    ['a', 'b.c', 'a["b.c"]'],
    ['a', '"]', 'a["\\"]"]'],
    ['a', '\ud800', 'a["\\ud800"]'],
    ['', 'b c', '["b c"]'],
  ])('joins %j and %j to %j', (path, member, joined) => {
    expect(joinPath(path, member)).toBe(joined);
  });

  it('shows the first 64 characters of a name', () => {
    expect(joinPath('a', 'n'.repeat(64))).toBe(`a.${'n'.repeat(64)}`);
    expect(joinPath('a', 'n'.repeat(65))).toBe(`a.${'n'.repeat(64)}…`);
    expect(joinPath('a', ' '.repeat(65))).toBe(`a["${' '.repeat(64)}…"]`);
  });
});

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
    expect(new Set(LISTS.map(identityOf)).size).toBe(LISTS.length);
  });

  it('gives equal values the same key', () => {
    for (const list of LISTS) expect(identityOf(structuredClone(list) as unknown[])).toBe(identityOf(list));
  });
});
