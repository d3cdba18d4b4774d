import { targetCheckText } from './check-text.js';

describe('the text of a check of a masked column', () => {
  it.each([
    ['holds', { differs: true, pairs: 59, equal: 0 }, 'email differs in 59 rows'],
    ['holds', { differs: false, pairs: 1, equal: 0 }, 'email differs in 1 row'],
    [
      'holds',
      { differs: false, pairs: 59, equal: 2 },
      "email has the source's value in 2 of 59 rows, which its rule permits",
    ],
    [
      'fails',
      { differs: true, pairs: 59, equal: 2 },
      "email has the source's value in 2 of 59 rows, but its rule guarantees a different value",
    ],
    [
      'not_comparable',
      { differs: true, pairs: 0, equal: 0 },
      'email cannot be compared row by row: no primary key of the table was preserved',
    ],
  ] as const)('with outcome %s and %j is %j', (outcome, values, text) => {
    const check = { kind: 'masked_column', tableIndex: 0, column: 'email', outcome, ...values } as const;
    expect(targetCheckText(check)).toBe(text);
  });
});
