import { Canaries } from './canaries.js';

describe('the canary search', () => {
  const canaries = new Canaries();
  const text = canaries.text('Name');
  const number = canaries.number();

  it.each([
    ['plain', Buffer.from(`x${text}y`)],
    ['hex', Buffer.from(Buffer.from(`x${text}`).toString('hex'))],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['base64 at the start', Buffer.from(Buffer.from(`${text}##`).toString('base64'))],
    ['base64 after one byte', Buffer.from(Buffer.from(`a${text}#`).toString('base64'))],
    ['base64 after two bytes', Buffer.from(Buffer.from(`ab${text}`).toString('base64'))],
    [
      'base64 after seventeen bytes',
      Buffer.from(Buffer.from(`${'q'.repeat(17)}${text}tail`).toString('base64')),
    ],
  ])('finds %s', (_form, haystack) => {
    expect(canaries.findIn(haystack)).toEqual([text]);
  });

  it('finds the eight bytes of a number in either order', () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(number));
    expect(canaries.findIn(Buffer.concat([Buffer.from('head'), bytes]))).toEqual([String(number)]);
  });

  it('finds nothing in data without a canary', () => {
    expect(canaries.findIn(Buffer.from('an ordinary line of a log'))).toEqual([]);
  });
});
