import { readRowRange } from './generate-options.js';

describe('the value of --range', () => {
  it.each([
    ['0..1', { from: 0, to: 1 }],
    ['10..20', { from: 10, to: 20 }],
    ['0..9007199254740991', { from: 0, to: Number.MAX_SAFE_INTEGER }],
  ])('accepts %s', (text, range) => {
    expect(readRowRange(text)).toEqual(range);
  });

  it.each([
    '',
    '..',
    '1..',
    '..1',
    '1',
    '1..1',
    '2..1',
    '-1..2',
    '1...2',
    '0..9007199254740992',
    'a..b',
    '1e3..1e4',
    '0x1..2',
  ])('rejects %j', (text) => {
    expect(() => readRowRange(text)).toThrow('Expected a..b');
  });
});
