import type { Client } from 'pg';
import { COMPARED_COLUMNS } from './statements/compared-columns.sql.js';
import { sqlName } from './names.js';
import { quoteIdentifier } from './quote.js';
import type { SqlName } from '@understudy/sync-job';

/** The properties of a column that decide whether it can store the values of a column of another database. */
export interface ComparedColumn {
  readonly name: string;
  /** Whether the column rejects new NULLs. */
  readonly notNull: boolean;
  /** Whether the column rejects NULLs and existing rows contain none. */
  readonly neverNull: boolean;
  readonly generated: boolean;
  readonly typeName: SqlName | undefined;
  /** The category in pg_type.typcategory, such as `S` for text and `N` for numbers. */
  readonly category: string;
  /** The type without its modifier. Equal texts mean equal types, also in different databases. */
  readonly base: string;
  /** The type with its modifier. Equal texts mean equal types, also in different databases. */
  readonly type: string;
  readonly hasModifier: boolean;
  /** The length n of varchar(n), char(n) or bit(n); undefined for other types. */
  readonly length: number | undefined;
  readonly collation: string | undefined;
  /** The labels of the enum, if the type is an enum or an array of an enum. */
  readonly labels: readonly string[] | undefined;
}

/** Reads the columns of a table, in the table's order. */
export async function readComparedColumns(client: Client, oid: string): Promise<readonly ComparedColumn[]> {
  const { rows } = await client.query<{
    name: string;
    not_null: boolean;
    never_null: boolean;
    generated: boolean;
    type_name: string;
    category: string;
    modifier: number;
    base: string;
    type: string;
    length: number | null;
    collation: string | null;
    labels: string[] | null;
  }>(COMPARED_COLUMNS, [oid]);
  return rows.map((row) => ({
    name: row.name,
    notNull: row.not_null,
    neverNull: row.never_null,
    generated: row.generated,
    typeName: sqlName(row.type_name),
    category: row.category,
    base: row.base,
    type: row.type,
    hasModifier: row.modifier >= 0,
    length: row.length ?? undefined,
    collation: row.collation ?? undefined,
    labels: row.labels ?? undefined,
  }));
}

/**
 * Returns the columns that contain a NULL. Cost: at most one pass over the table.
 * @param from the quoted name of the table. To exclude child tables, put the keyword `ONLY` before the name.
 */
export async function columnsWithNulls(
  client: Client,
  from: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const tests = columns.map(
    (name, i) => `coalesce(bool_or(${quoteIdentifier(name)} IS NULL), false) AS n${i}`,
  );
  const { rows } = await client.query<Record<string, boolean>>(`SELECT ${tests.join(', ')} FROM ${from}`);
  return columns.filter((_, i) => rows[0]?.[`n${i}`] === true);
}
