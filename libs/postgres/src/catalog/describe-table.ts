import type { Client } from 'pg';
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
  const found = await client.query<TableRow>(FIND_TABLES, [
    names.map(({ schema }) => schema),
    names.map(({ table }) => table),
  ]);
  const byPosition = new Map(found.rows.map((row) => [row.position, row]));
  const { rows } = await client.query<ColumnRow>(DESCRIBE_COLUMNS, [found.rows.map(({ oid }) => oid)]);
  const columns = new Map<string, ColumnDescription[]>();
  for (const row of rows) {
    const list = columns.get(row.table) ?? [];
    list.push(toColumn(row));
    columns.set(row.table, list);
  }
  return names.map((name, position) => {
    const row = byPosition.get(position);
    return row && toTable(name, row, columns.get(row.oid) ?? []);
  });
}

/**
 * Reads what kinds of relations have the names, for the names that belong to no table.
 * @returns the kinds in the order of the names, with undefined for a table and for a name that nothing has
 */
export async function otherRelations(
  client: Client,
  names: readonly TableName[],
): Promise<readonly (RelationKind | undefined)[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ position: number; kind: RelationKind }>(FIND_OTHER_RELATIONS, [
    names.map(({ schema }) => schema),
    names.map(({ table }) => table),
  ]);
  const kinds = new Map(rows.map(({ position, kind }) => [position, kind]));
  return names.map((_, position) => kinds.get(position));
}

interface TableRow {
  position: number;
  oid: string;
  partitioned: boolean;
  unreadable: boolean;
  ancestors: string[];
  parents: TableName[];
  partitions: TableName[];
  estimate: number;
  leaf_estimate: number | null;
}

interface ColumnRow {
  table: string;
  name: string;
  type: number;
  not_null: boolean;
  identity: boolean;
  generated: boolean;
  is_text: boolean;
  holds_text: boolean;
  blank_padded: boolean;
  is_json: boolean;
  max_length: number | null;
  key_position: number | null;
  in_foreign_key: boolean;
}

function toTable(name: TableName, row: TableRow, columns: readonly ColumnDescription[]): TableDescription {
  return {
    name,
    oid: row.oid,
    isPartitioned: row.partitioned,
    isUnreadable: row.unreadable,
    partitionOf: row.ancestors,
    ancestors: row.parents,
    partitions: row.partitions,
    estimatedRows: Math.round(row.leaf_estimate ?? row.estimate),
    columns,
  };
}

function toColumn(row: ColumnRow): ColumnDescription {
  return {
    name: row.name,
    type: row.type,
    notNull: row.not_null,
    isIdentity: row.identity,
    isGenerated: row.generated,
    isText: row.is_text,
    holdsText: row.holds_text,
    isBlankPadded: row.blank_padded,
    isJson: row.is_json,
    ...(row.max_length === null ? {} : { maxLength: row.max_length }),
    ...(row.key_position === null ? {} : { keyPosition: row.key_position }),
    inForeignKey: row.in_foreign_key,
  };
}
