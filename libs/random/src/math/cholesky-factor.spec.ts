import fc from 'fast-check';
import { choleskyFactor } from '../index.js';

/** Returns L Lᵀ for the rows of L. */
function square(rows: readonly ArrayLike<number>[]): number[][] {
  return rows.map((a) =>
    rows.map((b) => Array.from(a).reduce((sum, x, k) => sum + x * (Array.from(b)[k] ?? 0), 0)),
  );
}

const triangular = fc
  .integer({ min: 1, max: 8 })
  .chain((n) =>
    fc.tuple(
      ...Array.from({ length: n }, (_, i) =>
        fc
          .tuple(
            fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: i, maxLength: i }),
            fc.double({ min: 0.1, max: 3, noNaN: true }),
          )
          .map(([left, diagonal]) => [...left, diagonal]),
      ),
    ),
  );

describe('choleskyFactor', () => {
  it('reproduces the matrix when multiplied by its transpose', () => {
    fc.assert(
      fc.property(triangular, (rows) => {
        const matrix = square(rows);
        const again = square(choleskyFactor(matrix));
        matrix.forEach((row, i) => {
          row.forEach((entry, j) => expect(Math.abs((again[i]?.[j] ?? NaN) - entry)).toBeLessThan(1e-10));
        });
      }),
    );
  });

  it('has rows that do not depend on the rows below them', () => {
    const small = [
      [1, 0.5],
      [0.5, 1],
    ];
    const large = [
      [1, 0.5, 0.2],
      [0.5, 1, -0.3],
      [0.2, -0.3, 1],
    ];
    expect(choleskyFactor(large).slice(0, 2)).toEqual(choleskyFactor(small));
  });

  it.each([
    [[[0]], 'row 0'],
    [[[-1]], 'row 0'],
    [[[NaN]], 'row 0'],
    [
      [
        [1, 1],
        [1, 1],
      ],
      'row 1',
    ],
    [
      [
        [1, 0.9, -0.9],
        [0.9, 1, 0.9],
        [-0.9, 0.9, 1],
      ],
      'row 2',
    ],
  ])('refuses %j', (matrix, row) => {
    expect(() => choleskyFactor(matrix)).toThrow(RangeError);
    expect(() => choleskyFactor(matrix)).toThrow(row);
  });
});
