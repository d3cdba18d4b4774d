import { roundedRows } from './failure-list.js';

describe('roundedRows', () => {
  it.each([
    [0, 0],
    [1, 0],
    [9, 0],
    [10, 10],
    [99, 99],
    [100, 100],
    [101, 100],
    [106, 110],
    [999, 1_000],
    [123_456, 120_000],
    [9_876_543_210, 9_900_000_000],
  ])('rounds %d to %d', (rows, expected) => {
    expect(roundedRows(rows)).toBe(expected);
  });
});
