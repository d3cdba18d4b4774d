import { ByteSink } from '@understudy/bytes';
import { type Canonical, readInteger, writeCanonical } from './canonical-value.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function canonical(kind: Canonical | undefined, text: string): string {
  const out = new ByteSink(8);
  writeCanonical(out, kind, bytes(text), 0, bytes(text).length);
  return new TextDecoder().decode(out.take());
}

describe('writeCanonical', () => {
  it.each<[Canonical | undefined, string, string]>([
    [undefined, ' A.0 ', ' A.0 '],
    ['number', '5', '5'],
    ['number', '500', '500'],
    ['number', '5.00', '5'],
    ['number', '-5.50', '-5.5'],
    ['number', 'NaN', 'NaN'],
    ['padded', 'a b  ', 'a b'],
    ['padded', '   ', ''],
    ['folded', 'Ünï@X.org', 'ünï@x.org'],
  ])('for the kind %s, writes %j as %j', (kind, text, expected) => {
    expect(canonical(kind, text)).toBe(expected);
  });
});

describe('readInteger', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['12', 12],
    ['-2147483648', -2147483648],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', NaN],
    ['9223372036854775807', NaN],
    ['', NaN],
    ['-', NaN],
    ['1.0', NaN],
    ['\\N', NaN],
  ])('reads %j as %d', (text, expected) => {
    expect(readInteger(bytes(text), 0, bytes(text).length)).toBe(expected);
  });
});
