import { ParameterFault } from '../../definition/errors.js';
import { joinPath, describe } from '../../definition/json-value.js';

/** The accepted rounding error of a matrix that another program computed. */
const TOLERANCE = 1e-9;

/**
 * Reads a correlation matrix of `count` variables: square, symmetric, 1 on the diagonal, all entries from -1
 * to 1. Returns the identity for null. Does not check that the matrix is positive-definite; the factorisation
 * does.
 * @throws ParameterFault that names the entry
 */
export function readCorrelations(rows: readonly unknown[] | null, count: number, path: string): number[][] {
  if (rows === null) {
    return Array.from({ length: count }, (_, i) =>
      Array.from({ length: count }, (__, j) => (i === j ? 1 : 0)),
    );
  }
  if (rows.length !== count) {
    throw new ParameterFault(path, `must have a row for each of the ${count} variables, got ${rows.length}`);
  }
  const matrix = rows.map((row, i) => readRow(row, count, joinPath(path, i)));
  matrix.forEach((row, i) => {
    row.slice(0, i + 1).forEach((entry, j) => checkEntry(matrix, entry, i, j, path));
  });
  return matrix;
}

function readRow(row: unknown, count: number, path: string): number[] {
  if (!Array.isArray(row)) throw new ParameterFault(path, `must be an array, got ${describe(row)}`);
  if (row.length !== count) {
    throw new ParameterFault(path, `must have ${count} entries, one for each variable, got ${row.length}`);
  }
  return row.map((entry: unknown, j) => {
    if (typeof entry === 'number' && Math.abs(entry) <= 1 + TOLERANCE) return entry;
    throw new ParameterFault(joinPath(path, j), `must be a number from -1 to 1, got ${describe(entry)}`);
  });
}

function checkEntry(matrix: readonly number[][], entry: number, i: number, j: number, path: string): void {
  const at = joinPath(joinPath(path, i), j);
  if (i === j && Math.abs(entry - 1) > TOLERANCE) {
    throw new ParameterFault(at, `must be 1: a variable correlates fully with itself, got ${entry}`);
  }
  const mirrored = matrix[j]?.[i] ?? NaN;
  if (Math.abs(entry - mirrored) > TOLERANCE) {
    throw new ParameterFault(at, `must equal its mirror [${j}][${i}]: ${entry} is not ${mirrored}`);
  }
}
