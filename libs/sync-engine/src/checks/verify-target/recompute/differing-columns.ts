import type { TablePlan } from '../../../plan/table-plan.js';
import { digestsOf, type DigestedColumn, type DigestSeeds } from './digest-sql.js';
import type { TableDigest } from './digest-table.js';

/** All columns that a job writes, as they are on the target. */
export function writtenColumns({ columns, source, target }: TablePlan): readonly DigestedColumn[] {
  const types = new Map((target ?? source).columns.map(({ name, type }) => [name, type]));
  return columns.map(({ description: { name, type } }) => ({ name, type: types.get(name) ?? type }));
}

/** Digests that tell in which columns two digests of whole rows differ: each column alone, and each with the row's primary key. */
export function columnDigests(plan: TablePlan, seeds: DigestSeeds): readonly string[] {
  const columns = writtenColumns(plan);
  const key = keyOf(plan, columns);
  return columns.flatMap((column) => [
    ...digestsOf([column], seeds),
    ...digestsOf(key.includes(column) ? [column] : [...key, column], seeds),
  ]);
}

/**
 * Pure. Columns whose values differ, or stand in other rows as far as the primary key tells. A key that differs itself tells no rows: then
 * the columns' values count alone.
 * @param made,there of the expressions of {@link columnDigests}
 */
export function differingColumns(plan: TablePlan, made: TableDigest, there: TableDigest): readonly string[] {
  const columns = writtenColumns(plan);
  const differs = (from: number) =>
    [from, from + 1].some((i) => made.sums[i] !== there.sums[i]) || made.rows !== there.rows;
  const alone = columns.filter((_, i) => differs(i * DIGESTS_OF_COLUMN));
  const isKeyWhole = !keyOf(plan, columns).some((column) => alone.includes(column));
  const found = isKeyWhole ? columns.filter((_, i) => differs(i * DIGESTS_OF_COLUMN + 2)) : alone;
  return found.map(({ name }) => name);
}

/** Two of the column alone, two of the column with the key. */
const DIGESTS_OF_COLUMN = 4;

function keyOf({ source }: TablePlan, columns: readonly DigestedColumn[]): readonly DigestedColumn[] {
  const key = new Set(
    source.columns.filter(({ keyPosition }) => keyPosition !== undefined).map(({ name }) => name),
  );
  return columns.filter(({ name }) => key.has(name));
}
