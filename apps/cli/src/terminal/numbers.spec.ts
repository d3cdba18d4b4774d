import { count, formatBytes, formatNumber } from './numbers.js';

it('formats a number with commas', () => {
  expect(formatNumber(1_234_567)).toBe('1,234,567');
});

it.each([
  [1, 'row', '1 row'],
  [0, 'row', '0 rows'],
  [1_200, 'nulled column', '1,200 nulled columns'],
  [1, 'masked column that differs', '1 masked column that differs'],
  [3, 'masked column that differs', '3 masked columns that differ'],
])('formats %p of the noun "%s" as "%s"', (number, noun, text) => {
  expect(count(number, noun)).toBe(text);
});

it.each([
  [0, '0 kB'],
  [99_001, '100 kB'],
  [12_345_678, '12.3 MB'],
  [1_234_567_890, '1.23 GB'],
])('formats %p bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
