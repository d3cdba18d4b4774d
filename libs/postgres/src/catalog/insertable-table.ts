import type { Client } from 'pg';
import { readRows } from './read-rows.js';
import { FIND_INSERTABLE, INSERTABLE_COLUMNS } from './statements/insertable-table.sql.js';
import type { TableName } from '@understudy/sync-job';

/** The properties of a relation that decide whether rows can be inserted. */
export interface InsertableTable {
  readonly name: TableName;
  /** False for views, foreign tables and other relations that are not tables. */
  readonly isTable: boolean;
  /** Whether the role has permission to insert into at least some of the columns. */
  readonly isAllowed: boolean;
  readonly columns: readonly InsertableColumn[];
}

export interface InsertableColumn {
  readonly name: string;
  /** The type in SQL syntax, with its modifier. */
  readonly type: string;
  readonly isArray: boolean;
  /** Whether the server computes the column. Inserted rows must not set it. */
  readonly isGenerated: boolean;
  /** Whether the column rejects NULL and has no default. */
  readonly isRequired: boolean;
}

/** Reads a relation from the catalog. @returns undefined if there is no such relation */
export async function readInsertableTable(
  client: Client,
  name: TableName,
): Promise<InsertableTable | undefined> {
  const [found] = await readRows<Omit<InsertableTable, 'name' | 'columns'> & { oid: string }>(
    client,
    FIND_INSERTABLE,
    [name.schema, name.table],
  );
  if (found === undefined) return undefined;
  const { isTable, isAllowed } = found;
  const columns = await readRows<InsertableColumn>(client, INSERTABLE_COLUMNS, [found.oid]);
  return { name, isTable, isAllowed, columns };
}
