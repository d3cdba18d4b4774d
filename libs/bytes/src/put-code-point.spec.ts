import { putCodePoint } from './put-code-point.js';

it('writes every code point beyond ASCII as UTF-8', () => {
  const bytes = new Uint8Array(8);
  const encoder = new TextEncoder();
  const wrong: number[] = [];
  for (let point = 0x80; point <= 0x10ffff; point++) {
    if (point === 0xd800) point = 0xe000;
    const end = putCodePoint(bytes, 2, point);
    const expected = encoder.encode(String.fromCodePoint(point));
    if (end !== 2 + expected.length || expected.some((byte, i) => bytes[2 + i] !== byte)) wrong.push(point);
  }
  expect(wrong).toEqual([]);
});
