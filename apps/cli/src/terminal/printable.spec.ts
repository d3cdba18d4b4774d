import { printable, readable } from './printable.js';

describe('printable', () => {
  it.each([
    ['E-Mail Straße 名前 🙂', 'E-Mail Straße 名前 🙂'],
    ['a\nb\r\tc', String.raw`a\u000ab\u000d\u0009c`],
    ['\u001b[31mred\u009b0m\u007f', String.raw`\u001b[31mred\u009b0m\u007f`],
    ['\u202eevil\u2028\u2029\u0085\ufeff', String.raw`\u202eevil\u2028\u2029\u0085\ufeff`],
    ['\u{e0001}', String.raw`\udb40\udc01`],
  ])('writes %j as %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('replaces the same characters with spaces in texts that are only read', () => {
    expect(readable('a\n\u001b[31mb\u202e名')).toBe('a  [31mb 名');
  });

  it('returns equivalent JSON for JSON in one line', () => {
    const value = { 'a\u009b\n': ['\u2028', '\u{e0001}', '"\\'] };
    expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
  });
});
