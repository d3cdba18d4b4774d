import type { Client } from 'pg';
import { FIND_INSERTABLE, INSERTABLE_COLUMNS } from './insertable-table.sql.js';
import type { TableName } from './table-name.js';

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
  /** The server computes it; no row may name it. */
  readonly isGenerated: boolean;
  readonly isArray: boolean;
  /** Takes no NULL and has no default. */
  readonly isRequired: boolean;
}

/**
 * @param name as SQL writes it, found along the search path
 * @returns undefined when there is none of that name
 */
export async function readInsertableTable(
  client: Client,
  name: string,
): Promise<InsertableTable | undefined> {
  const found = await client.query<{
    oid: string;
    schema: string;
    table: string;
    kind: string;
    allowed: boolean;
  }>(FIND_INSERTABLE, [name]);
  const [table] = found.rows;
  if (table === undefined) return undefined;
  const { rows } = await client.query<{
    name: string;
    generated: boolean;
    is_array: boolean;
    required: boolean;
  }>(INSERTABLE_COLUMNS, [table.oid]);
  return {
    name: { schema: table.schema, table: table.table },
    isTable: table.kind === 'r' || table.kind === 'p',
    isAllowed: table.allowed,
    columns: rows.map((row) => ({
      name: row.name,
      isGenerated: row.generated,
      isArray: row.is_array,
      isRequired: row.required,
    })),
  };
}
