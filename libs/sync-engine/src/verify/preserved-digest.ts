import { quoteTable, type Client } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from '../plan/table-plan.js';
import { COLUMN_TYPES } from './column-types.sql.js';
import { type ColumnType, digestExpression } from './digest-expression.js';

/** The types of a table's columns on both sides, by column name. */
export interface TypesOnBothSides {
  readonly source: ReadonlyMap<string, ColumnType> | undefined;
  readonly target: ReadonlyMap<string, ColumnType> | undefined;
}

/**
 * Builds the digest expression of a row's preserved columns, for both sides. Returns undefined if the table has none.
 * Pure.
 */
export function preservedDigest({ columns }: TablePlan, types: TypesOnBothSides): string | undefined {
  const preserved = columns.flatMap(({ description: { name }, fill }) => {
    const [source, target] = [types.source?.get(name), types.target?.get(name)];
    if (fill.kind !== 'preserve' || source === undefined || target === undefined) return [];
    return [{ name, source, target }];
  });
  return preserved.length === 0 ? undefined : digestExpression(preserved);
}

/** Returns the columns that the job sets to NULL. */
export function nulledColumns({ columns }: TablePlan): readonly string[] {
  return columns.filter(({ fill }) => fill.kind === 'null').map(({ description }) => description.name);
}

/** Reads the column types of each table, in the order of `tables`. */
export async function readColumnTypes(
  client: Client,
  tables: readonly TableName[],
): Promise<readonly ReadonlyMap<string, ColumnType>[]> {
  const { rows } = await client.query<ColumnType & { position: number; column: string }>(COLUMN_TYPES, [
    tables.map(quoteTable),
  ]);
  const found = tables.map(() => new Map<string, ColumnType>());
  for (const { position, column, ...type } of rows) found[position - 1]?.set(column, type);
  return found;
}
