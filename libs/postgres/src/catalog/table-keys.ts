import type { Client } from 'pg';
import { CHECKS, COLUMN_TYPES, FOREIGN_KEYS_AMONG, UNIQUE_KEYS } from './statements/table-keys.sql.js';

/** The keys, types and checks that the values of a table must fit. */
export interface TableKeys {
  readonly unique: readonly UniqueKey[];
  /** The types, by the name of the column. */
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly checks: readonly Check[];
}

export interface UniqueKey {
  readonly columns: readonly string[];
  /** The columns whose case is ignored, as in `lower(email)`. */
  readonly folded: readonly string[];
  readonly nullsNotDistinct: boolean;
}

export interface ColumnType {
  /** The type in SQL syntax, such as `numeric(5,2)` or `public.mood`. */
  readonly sql: string;
  /** The name of the type, or of the base type of a domain. */
  readonly base: string;
  /** Whether the column or its domain rejects NULL. */
  readonly notNull: boolean;
}

export interface Check {
  /** The expression, with column names that are not qualified by a table. */
  readonly expression: string;
  readonly columns: readonly string[];
}

/** A foreign key between two tables, which are identified by oid. One of them may be outside the job. */
export interface ForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly referenced: string;
  readonly referencedColumns: readonly string[];
}

/** Reads the keys, types and checks of tables. @returns a map from the oid of each table to its keys */
export async function readTableKeys(
  client: Client,
  oids: readonly string[],
): Promise<ReadonlyMap<string, TableKeys>> {
  if (oids.length === 0) return new Map();
  const keys = await client.query<KeyColumn>(UNIQUE_KEYS, [oids]);
  const types = await client.query<TypeRow>(COLUMN_TYPES, [oids]);
  const checks = await client.query<Check & { table: string }>(CHECKS, [oids]);
  const [keysOf, typesOf, checksOf] = [byTable(keys.rows), byTable(types.rows), byTable(checks.rows)];
  return new Map(
    oids.map((oid) => [
      oid,
      {
        unique: uniqueKeys(keysOf.get(oid) ?? []),
        types: new Map((typesOf.get(oid) ?? []).map((row) => [row.column, toType(row)])),
        checks: checksOf.get(oid) ?? [],
      },
    ]),
  );
}

function byTable<T extends { readonly table: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const tables = new Map<string, T[]>();
  for (const row of rows) {
    const known = tables.get(row.table);
    if (known === undefined) tables.set(row.table, [row]);
    else known.push(row);
  }
  return tables;
}

function toType({ type, base, not_null }: TypeRow): ColumnType {
  return { sql: type, base, notNull: not_null };
}

/** Reads the foreign keys of tables, and the foreign keys of any table that reference these tables. */
export async function readForeignKeys(
  client: Client,
  oids: readonly string[],
): Promise<readonly ForeignKey[]> {
  if (oids.length === 0) return [];
  const { rows } = await client.query<{
    table: string;
    columns: string[];
    referenced: string;
    referenced_columns: string[];
  }>(FOREIGN_KEYS_AMONG, [oids]);
  return rows.map(({ table, columns, referenced, referenced_columns }) => ({
    table,
    columns,
    referenced,
    referencedColumns: referenced_columns,
  }));
}

interface KeyColumn {
  table: string;
  index: string;
  column: string | null;
  expression: string | null;
  nulls_not_distinct: boolean;
}

interface TypeRow {
  table: string;
  column: string;
  type: string;
  base: string;
  not_null: boolean;
}

/**
 * Groups catalog rows into unique keys. Omits an index on any expression other than `lower(column)`: the
 * server checks such an index after the copy.
 */
function uniqueKeys(rows: readonly KeyColumn[]): readonly UniqueKey[] {
  const byIndex = new Map<string, KeyColumn[]>();
  for (const row of rows) byIndex.set(row.index, [...(byIndex.get(row.index) ?? []), row]);
  return [...byIndex.values()].flatMap((parts) => {
    const names = parts.map(({ column, expression }) => column ?? lowered(expression ?? ''));
    if (names.includes(undefined)) return [];
    const columns = names.filter((name) => name !== undefined);
    const folded = parts.flatMap(({ column }, i) => (column === null ? (columns[i] ?? []) : []));
    return [{ columns, folded, nullsNotDistinct: parts.some((part) => part.nulls_not_distinct) }];
  });
}

// Matches the server's output: lower(email), lower((email)::text) and lower("E-mail").
const LOWERED = /^lower\(\(?(?:([a-z_][a-z0-9_$]*)|"((?:[^"]|"")+)")\)?(?:::text)?\)$/;

/** Returns the column of the expression `lower(column)`; undefined for any other expression. */
function lowered(expression: string): string | undefined {
  const [, plain, quoted] = LOWERED.exec(expression) ?? [];
  return plain ?? quoted?.replaceAll('""', '"');
}
