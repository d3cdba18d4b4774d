import type { Client } from 'pg';
import { schemasAndNames } from './names.js';
import { readRows, readRowsByTable } from './read-rows.js';
import { DESCRIBE_COLUMNS, FIND_OTHER_RELATIONS, FIND_TABLES } from './statements/describe-tables.sql.js';
import type { RelationKind, TableName } from '@understudy/sync-job';

export interface TableDescription {
  readonly name: TableName;
  readonly oid: string;
  readonly isPartitioned: boolean;
  /** Whether the table is unlogged and the server is a standby, which cannot read the rows of such a table. */
  readonly isUnreadable: boolean;
  /** The oids of the partitioned tables that this table is a partition of, at all levels. */
  readonly partitionOf: readonly string[];
  /** All tables that this table is a partition of or inherits from, at all levels. */
  readonly ancestors: readonly TableName[];
  /** The partitions of a partitioned table, at all levels. */
  readonly partitions: readonly TableName[];
  /** The planner's estimate; 0 if the table was never analysed. */
  readonly estimatedRows: number;
  /** The columns, in the table's order. */
  readonly columns: readonly ColumnDescription[];
}

export interface ColumnDescription {
  readonly name: string;
  /** The oid of the column's type. For a domain, this is the oid of the domain. */
  readonly type: number;
  readonly notNull: boolean;
  readonly isIdentity: boolean;
  /** Whether the server computes the column (GENERATED ALWAYS AS). Such a column is never copied. */
  readonly isGenerated: boolean;
  readonly isText: boolean;
  /** Whether values can contain any text. False for numbers, times, enums and other built-in types without text. */
  readonly holdsText: boolean;
  readonly isBlankPadded: boolean;
  /** Whether the type is json or jsonb. False for arrays of them. */
  readonly isJson: boolean;
  /** The maximum length in code points, for `varchar(n)`, `char(n)` and domains over them. */
  readonly maxLength?: number;
  /** The position of the column in the primary key, from 1. Absent if the column is not in the primary key. */
  readonly keyPosition?: number;
  readonly inForeignKey: boolean;
}

/** Reads a table from the catalog. @returns undefined if there is no such table */
export async function describeTable(client: Client, name: TableName): Promise<TableDescription | undefined> {
  const [table] = await describeTables(client, [name]);
  return table;
}

/**
 * Reads several tables from the catalog. Needs no more round trips than for one table.
 * @returns the tables in the order of the names, with undefined for a missing table
 */
export async function describeTables(
  client: Client,
  names: readonly TableName[],
): Promise<readonly (TableDescription | undefined)[]> {
  const found = await readRows<FoundTable>(client, FIND_TABLES, schemasAndNames(names));
  const columns = await readRowsByTable<ColumnDescription>(client, DESCRIBE_COLUMNS, [
    found.map(({ oid }) => oid),
  ]);
  const tables = new Map(found.map(({ position, ...table }) => [position, table]));
  return names.map((name, position) => {
    const table = tables.get(position);
    return table && { name, ...table, columns: columns.get(table.oid) ?? [] };
  });
}

type FoundTable = Omit<TableDescription, 'name' | 'columns'> & { readonly position: number };

/**
 * Reads what kinds of relations have the names, for the names that belong to no table.
 * @returns the kinds in the order of the names, with undefined for a table and for a name that nothing has
 */
export async function otherRelations(
  client: Client,
  names: readonly TableName[],
): Promise<readonly (RelationKind | undefined)[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ position: number; kind: RelationKind }>(
    FIND_OTHER_RELATIONS,
    schemasAndNames(names),
  );
  const kinds = new Map(rows.map(({ position, kind }) => [position, kind]));
  return names.map((_, position) => kinds.get(position));
}
