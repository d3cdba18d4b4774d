import { joinPath } from './json-path.js';

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
  ])('%j and %j give %j', (path, member, joined) => {
    expect(joinPath(path, member)).toBe(joined);
  });

  it('shows 64 characters of a name', () => {
    expect(joinPath('a', 'n'.repeat(64))).toBe(`a.${'n'.repeat(64)}`);
    expect(joinPath('a', 'n'.repeat(65))).toBe(`a.${'n'.repeat(64)}…`);
    expect(joinPath('a', ' '.repeat(65))).toBe(`a["${' '.repeat(64)}…"]`);
  });
});
