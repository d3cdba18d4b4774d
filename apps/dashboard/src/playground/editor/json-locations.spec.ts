import { jsonLanguage } from '@codemirror/lang-json';

import { rangeOf } from './json-locations.js';

const TEXT = `{
  "generators": {
    "age": { "type": "svc", "params": { "min": 9, "max": 3 } },
    "a b": { "body": "x" }
  },
  "output": ["age", "none"]
}`;

function at(path: string, text = TEXT): string {
  const { from, to } = rangeOf({ path, message: '' }, jsonLanguage.parser.parse(text), text);
  return text.slice(from, to);
}

describe('rangeOf', () => {
  it.each([
    ['generators.age.params.min', '9'],
    ['generators.age.type', '"svc"'],
    ['output[1]', '"none"'],
    ['generators["a b"].body', '"x"'],
  ])('finds the value at %s', (path, part) => {
    expect(at(path)).toBe(part);
  });

  it.each([
    ['generators.age', '"age"'],
    ['generators.age.params', '"params"'],
    ['output', '"output"'],
  ])('gives only the name of the object or array at %s', (path, part) => {
    expect(at(path)).toBe(part);
  });

  it.each([
    ['generators.age.params.except', '"params"'],
    ['generators.other.type', '"generators"'],
    ['output[7]', '"output"'],
    ['', '{'],
  ])('gives the nearest part that would contain %s', (path, part) => {
    expect(at(path)).toBe(part);
  });

  it('finds where the text is not JSON', () => {
    const text = '{ "generators": { "age" 3 } }';
    const { from } = rangeOf({ path: '', message: '' }, jsonLanguage.parser.parse(text), text);
    expect(from).toBeGreaterThan(text.indexOf('"age"'));
    expect(from).toBeLessThan(text.indexOf('}'));
  });

  it.each(['', '   ', '{', '[', '"', '{"a":', 'nonsense'])(
    'gives a part of the unfinished text %j',
    (text) => {
      const { from, to } = rangeOf(
        { path: 'generators.a', message: '' },
        jsonLanguage.parser.parse(text),
        text,
      );
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeGreaterThan(from);
    },
  );
});
