import { parseExactJson } from '@understudy/expression';

import { DistinctValues } from './distinct-values.js';

describe('DistinctValues', () => {
  it('accepts each value only once', () => {
    const long = 'x'.repeat(65);
    const values = [
      1,
      '1',
      true,
      'true',
      10n ** 17n,
      '',
      long,
      `${long}y`,
      [1],
      ['1'],
      { a: 1 },
      { b: 1 },
      {},
      [],
    ];
    const seen = new DistinctValues();
    for (const value of values) expect(seen.add(value)).toBe(true);
    expect(seen.size).toBe(values.length);
    for (const value of [...values.map((item) => structuredClone(item))]) expect(seen.add(value)).toBe(false);
    expect(seen.size).toBe(values.length);
  });

  it('distinguishes a text from a value with the same JSON', () => {
    const seen = new DistinctValues();
    const json = JSON.stringify({ a: 'x'.repeat(100) });
    expect(
      [{ a: 'x'.repeat(100) }, json, `json ${json}`, `text ${json}`].map((value) => seen.add(value)),
    ).toEqual([true, true, true, true]);
  });

  it('takes numbers with the same value for one value', () => {
    const seen = new DistinctValues();
    const numbers =
      '[9007199254740993.0, 9007199254740993, 0.12345678901234567890, 0.1234567890123456789, 1e-400]';
    const texts = ['decimal 0.1234567890123456789', '9007199254740993'];
    const values = [...(parseExactJson(numbers) as unknown[]), ...texts];
    expect(values.map((value) => seen.add(value))).toEqual([true, false, true, false, true, true, true]);
  });
});
