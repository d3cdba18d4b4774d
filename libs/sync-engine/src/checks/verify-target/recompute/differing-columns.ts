import type { TablePlan } from '../../../plan/table-plan.js';
import { digestsOf, type DigestedColumn, type DigestSeeds } from './digest-sql.js';
import type { TableDigest } from './digest-table.js';

/** Returns the columns that a job writes, with their types on the target. */
export function writtenColumns({ columns, source, target }: TablePlan): readonly DigestedColumn[] {
  const types = new Map((target ?? source).columns.map(({ name, type }) => [name, type]));
  return columns.map(({ description: { name, type } }) => ({ name, type: types.get(name) ?? type }));
}

/**
 * Writes the digest expressions that show in which columns two tables differ. For each column, two digests
 * cover only its values, and two digests cover its values together with the primary key. The last two also
 * change if values move to other rows.
 */
export function columnDigests(plan: TablePlan, seeds: DigestSeeds): readonly string[] {
  const columns = writtenColumns(plan);
  const key = keyOf(plan, columns);
  return columns.flatMap((column) => [
    ...digestsOf([column], seeds),
    ...digestsOf(key.includes(column) ? [column] : [...key, column], seeds),
  ]);
}

/**
 * Returns the columns whose values differ, or whose values are the same but in different rows. If values of
 * the primary key differ, the function cannot detect that values are in different rows. Pure.
 * @param made the digests of the source's rows after masking, with the expressions of {@link columnDigests}
 * @param there the digests of the target's rows, with the same expressions
 */
export function differingColumns(plan: TablePlan, made: TableDigest, there: TableDigest): readonly string[] {
  const columns = writtenColumns(plan);
  const differs = (from: number) =>
    [from, from + 1].some((i) => made.sums[i] !== there.sums[i]) || made.rows !== there.rows;
  const byValues = columns.filter((_, i) => differs(i * DIGESTS_OF_COLUMN));
  const isKeyWhole = !keyOf(plan, columns).some((column) => byValues.includes(column));
  const found = isKeyWhole ? columns.filter((_, i) => differs(i * DIGESTS_OF_COLUMN + 2)) : byValues;
  return found.map(({ name }) => name);
}

/** The number of digests for each column: two of its values, and two of its values with the key. */
const DIGESTS_OF_COLUMN = 4;

function keyOf({ source }: TablePlan, columns: readonly DigestedColumn[]): readonly DigestedColumn[] {
  const key = new Set(
    source.columns.filter(({ keyPosition }) => keyPosition !== undefined).map(({ name }) => name),
  );
  return columns.filter(({ name }) => key.has(name));
}
