import type { Client } from '@understudy/postgres';
import type { RelationNames } from './leaf-relations.js';
import type { RestrictedTables } from './restricted-tables.js';
import type { RowSet, RowSetBudget } from './row-set.js';
import type { SubsetTable } from './subset-selection.js';

/** The tables, limits and queries with which the rows of a subset are found. */
export interface SubsetScope extends RestrictedTables {
  readonly tables: ReadonlyMap<number, SubsetTable>;
  /** The table indexes of the tables with a subset of their own. */
  readonly roots: readonly number[];
  /** The table indexes of `roots` and of all `groups`. */
  readonly restricted: ReadonlySet<number>;
  readonly names: RelationNames;
  /** The rows that the job leaves out in any case, by table index. They include all rows that reference one of them. */
  readonly orphans: ReadonlyMap<number, RowSet>;
  readonly budget: RowSetBudget;
  /** The largest number of row locations in one query. */
  readonly batchRows: number;
  /** Runs a query in the snapshot. An error becomes a SyncJobError with the table index. */
  readonly onSource: <T>(tableIndex: number, work: (client: Client) => Promise<T>) => Promise<T>;
}

export function tableOf({ tables }: Pick<SubsetScope, 'tables'>, index: number): SubsetTable {
  const table = tables.get(index);
  if (table === undefined) throw new Error(`no table ${index}`);
  return table;
}
