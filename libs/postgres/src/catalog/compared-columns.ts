import type { Client } from 'pg';
import { COMPARED_COLUMNS } from './statements/compared-columns.sql.js';
import { quoteIdentifier, sqlName } from './names.js';
import type { SqlName } from '@understudy/sync-job';

/** A column as far as rows of another database have to fit it. */
export interface ComparedColumn {
  readonly name: string;
  /** Refuses NULLs. */
  readonly notNull: boolean;
  /** Holds none either. */
  readonly neverNull: boolean;
  readonly generated: boolean;
  readonly typeName: SqlName | undefined;
  /** pg_type.typcategory: `S` for text, `N` for numbers, … */
  readonly category: string;
  /** Comparable between databases, without and with the modifier. */
  readonly base: string;
  readonly type: string;
  readonly hasModifier: boolean;
  /** Of varchar(n), char(n), bit(n). */
  readonly length: number | undefined;
  readonly collation: string | undefined;
  /** Of an enum, or an array of one. */
  readonly labels: readonly string[] | undefined;
}

/** In the table's order. */
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

/** Which of the columns hold a NULL, one pass over the table at most. @param from a quoted table, with ONLY where it is meant */
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
