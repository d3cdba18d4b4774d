/**
 * The smallest accepted pivot, relative to the diagonal entry of its row. In a matrix of 100 rows, rounding
 * errors of a pivot reach 10^-14.
 */
const PIVOT_TOLERANCE = 1e-12;

/** A lower triangular matrix. Row i contains only its first i + 1 numbers. */
export type TriangularMatrix = readonly Float64Array[];

/**
 * Returns the lower triangular L with L Lᵀ = matrix (Cholesky). No row of L depends on the rows below it.
 * Costs n³ / 6 multiplications, so the caller must limit n.
 * @param matrix square, finite and symmetric; only the entries on and below the diagonal are read
 * @throws RangeError that names the first row at which the matrix is not positive-definite
 */
export function choleskyFactor(matrix: readonly (readonly number[])[]): TriangularMatrix {
  const rows: Float64Array[] = [];
  matrix.forEach((entries, i) => {
    const row = new Float64Array(i + 1);
    for (let j = 0; j <= i; j += 1) {
      const above = rows[j] ?? row;
      let rest = entries[j] ?? 0;
      for (let k = 0; k < j; k += 1) rest -= (row[k] ?? 0) * (above[k] ?? 0);
      if (j < i) {
        row[j] = rest / (above[j] ?? 0);
      } else if (rest > PIVOT_TOLERANCE * (entries[i] ?? 0)) {
        row[i] = Math.sqrt(rest);
      } else {
        throw new RangeError(
          `is not positive-definite: row ${i} follows from, or contradicts, those above it`,
        );
      }
    }
    rows.push(row);
  });
  return rows;
}
