import { crc32 } from './crc32.js';

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('crc32', () => {
  test('gives the check value of the CRC catalogue', () => {
    expect(crc32(ascii('123456789'), 9)).toBe(0xcbf43926);
    expect(crc32(ascii('123456789 and more'), 9)).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0), 0)).toBe(0);
  });
});
