import type { Client } from '@understudy/postgres';
import type { RelationNames } from './leaf-relations.js';
import type { RestrictedTables } from './restricted-tables.js';
import type { RowSetBudget } from './row-set.js';
import type { SubsetTable } from './subset-selection.js';

/** What the search for a subset's rows works on. */
export interface SubsetScope extends RestrictedTables {
  readonly tables: ReadonlyMap<number, SubsetTable>;
  /** Tables with a subset of their own. */
  readonly roots: readonly number[];
  /** They, and all tables of the groups. */
  readonly restricted: ReadonlySet<number>;
  readonly names: RelationNames;
  readonly budget: RowSetBudget;
  /** Rows that one query names. */
  readonly batchRows: number;
  /** Runs a query in the snapshot; what fails is told as a failure at that table. */
  readonly onSource: <T>(tableIndex: number, work: (client: Client) => Promise<T>) => Promise<T>;
}

export function tableOf({ tables }: Pick<SubsetScope, 'tables'>, index: number): SubsetTable {
  const table = tables.get(index);
  if (table === undefined) throw new Error(`no table ${index}`);
  return table;
}
