/** A pivot must exceed this share of its diagonal entry; rounding alone reaches 10^-14 of it for 100 rows. */
const PIVOT_TOLERANCE = 1e-12;

/** Lower triangular: row i is its i + 1 numbers. */
export type TriangularMatrix = readonly Float64Array[];

/**
 * The lower triangular L with L Lᵀ = matrix (Cholesky), row by row: rows do not depend on those below them.
 * Costs n³ / 6 multiplications: the caller bounds n.
 * @param matrix square, finite and symmetric; only the entries on and below the diagonal are read
 * @throws RangeError that names the first row at which it is not positive-definite
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
