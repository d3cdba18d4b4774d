import type { Client } from 'pg';
import { FIND_INSERTABLE, INSERTABLE_COLUMNS } from './statements/insertable-table.sql.js';
import type { TableName } from '@understudy/sync-job';

/** A relation as far as rows that are made elsewhere have to fit it. */
export interface InsertableTable {
  readonly name: TableName;
  /** False for views, foreign tables and whatever else is no table. */
  readonly isTable: boolean;
  /** The role may insert into some of its columns at least. */
  readonly isAllowed: boolean;
  readonly columns: readonly InsertableColumn[];
}

export interface InsertableColumn {
  readonly name: string;
  /** As SQL writes it, with its modifier. */
  readonly type: string;
  readonly isArray: boolean;
  /** The server computes it; no row may name it. */
  readonly isGenerated: boolean;
  /** Takes no NULL and has no default. */
  readonly isRequired: boolean;
}

/** @returns undefined when there is none of that name */
export async function readInsertableTable(
  client: Client,
  name: TableName,
): Promise<InsertableTable | undefined> {
  const found = await client.query<{ oid: string; is_table: boolean; allowed: boolean }>(FIND_INSERTABLE, [
    name.schema,
    name.table,
  ]);
  const [table] = found.rows;
  if (table === undefined) return undefined;
  const { rows } = await client.query<ColumnRow>(INSERTABLE_COLUMNS, [table.oid]);
  return { name, isTable: table.is_table, isAllowed: table.allowed, columns: rows.map(toColumn) };
}

interface ColumnRow {
  name: string;
  type: string;
  is_array: boolean;
  generated: boolean;
  required: boolean;
}

function toColumn({ name, type, is_array, generated, required }: ColumnRow): InsertableColumn {
  return { name, type, isArray: is_array, isGenerated: generated, isRequired: required };
}
