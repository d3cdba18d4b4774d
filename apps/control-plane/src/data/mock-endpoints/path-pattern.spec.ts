import fc from 'fast-check';

import { matchPath, parsePathPattern, type PathPattern } from './path-pattern.js';

const patternOf = (path: string): PathPattern => {
  const parsed = parsePathPattern(path);
  if ('problem' in parsed) throw new Error(`${path}: ${parsed.problem}`);
  return parsed.pattern;
};

const literal = fc.stringMatching(/^[a-zA-Z0-9_~!$&'()*+,;=@é漢-]{1,10}$/);
const segments = fc
  .uniqueArray(fc.oneof(literal, fc.stringMatching(/^:[a-z]{1,8}$/)), { minLength: 1, maxLength: 6 })
  .map((texts) => texts.map((text) => text.normalize('NFC')));
const value = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  .filter((text) => text !== '.' && text !== '..');

describe('PathPattern', () => {
  it('matches its own path with any values, and returns these values', () => {
    fc.assert(
      fc.property(segments, fc.array(value, { minLength: 6, maxLength: 6 }), (texts, values) => {
        const pattern = patternOf(`/${texts.join('/')}`);
        const expected: Record<string, string> = {};
        const path = texts.map((text, i) => {
          if (!text.startsWith(':')) return encodeURIComponent(text);
          expected[text.slice(1)] = values[i] ?? '';
          return encodeURIComponent(values[i] ?? '');
        });
        expect(matchPath(pattern, `/${path.join('/')}`)).toEqual(expected);
        expect(matchPath(pattern, `/${path.join('/')}/more`)).toBeUndefined();
        expect(matchPath(pattern, `//${path.join('/')}`)).toBeUndefined();
      }),
    );
  });

  it('has a shape that depends on its literals but not on the names of its parameters', () => {
    expect(patternOf('/users/:id').shape).toBe(patternOf('/users/:name').shape);
    for (const other of ['/users/id', '/users', '/users/', '/users/:id/', '/Users/:id', '/:users/id'])
      expect(patternOf(other).shape).not.toBe(patternOf('/users/:id').shape);
  });

  it('matches no undecodable path, no dot segment and no value that is empty or too long', () => {
    const pattern = patternOf('/a/:x');
    for (const path of [
      '',
      '/',
      'a/b',
      '/a',
      '/a/',
      '/a/%',
      '/a/%ff',
      '/a/.',
      '/a/..',
      '/a/%2E%2e',
      '/a/b/c',
      `/a/${'x'.repeat(501)}`,
    ])
      expect([path.slice(0, 20), matchPath(pattern, path)]).toEqual([path.slice(0, 20), undefined]);
    expect(matchPath(pattern, '/%61/..%2Fetc')).toEqual({ x: '../etc' });
  });

  it('accepts any text without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, other) => {
        const parsed = parsePathPattern(`/${path}`);
        if ('pattern' in parsed) matchPath(parsed.pattern, other);
        matchPath(patternOf('/:a/b'), other);
      }),
    );
  });
});

describe('parsePathPattern', () => {
  it.each([
    ['', 'begins with a slash'],
    ['users', 'begins with a slash'],
    [`/${'x'.repeat(500)}`, 'at most 500 characters'],
    [`/a${'/b'.repeat(32)}`, 'at most 32 segments'],
    ['//', 'two slashes'],
    ['/a//b', 'two slashes'],
    ['/a/../b', '. and ..'],
    ['/./b', '. and ..'],
    ['/a%20b', 'percent-encoding'],
    ['/:', 'like :id'],
    ['/:1st', 'like :id'],
    ['/:id/:id', 'twice'],
    ['/a b', 'contains only'],
    ['/a?b', 'contains only'],
    ['/a#b', 'contains only'],
    ['/a\nb', 'contains only'],
    ['/users:all', 'contains only'],
  ])('refuses the path %j', (path, message) => {
    expect(parsePathPattern(path)).toEqual({ problem: expect.stringContaining(message) });
  });
});
