import { decodeUtf8 } from '@understudy/bytes';
import fc from 'fast-check';
import { encodeUtf8, isUtf8, utf8Length } from './utf8.js';

const encode = (text: string): Uint8Array => {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const bytes = new Uint8Array(text.length * 3);
  return bytes.subarray(0, encodeUtf8(units, units.length, bytes));
};

describe('UTF-8', () => {
  test("equals the platform's encoding, and is decoded to the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(5), (text, shift) => {
        const bytes = encode(text);
        expect([...bytes]).toEqual([...new TextEncoder().encode(text)]);
        const shifted = Uint8Array.of(...Array<number>(shift).fill(0x80), ...bytes, 0x80);
        expect(decodeUtf8(shifted, shift, shift + bytes.length)).toBe(text);
        expect(isUtf8(shifted, shift, shift + bytes.length)).toBe(true);
        expect(utf8Length(shifted, shift, shift + bytes.length)).toBe([...text].length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('is distinguished from other bytes like the platform does', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isValid = (bytes: Uint8Array) => {
      try {
        return decoder.decode(bytes) !== undefined;
      } catch {
        return false;
      }
    };
    const lead = fc.constantFrom(
      0x41,
      0x7f,
      0x80,
      0xbf,
      0xc0,
      0xc1,
      0xc2,
      0xdf,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
      0xff,
    );
    const next = fc.constantFrom(0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0);
    fc.assert(
      fc.property(lead, fc.array(next, { maxLength: 3 }), lead, (first, rest, last) => {
        const bytes = Uint8Array.of(first, ...rest, last);
        expect(isUtf8(bytes, 0, bytes.length)).toBe(isValid(bytes));
        expect(isUtf8(bytes, 0, bytes.length - 1)).toBe(isValid(bytes.subarray(0, -1)));
      }),
      { seed: 2, numRuns: 5000 },
    );
  });
});
