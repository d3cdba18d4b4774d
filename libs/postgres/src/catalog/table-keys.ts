import type { Client } from 'pg';
import { CHECKS, COLUMN_TYPES, FOREIGN_KEYS_AMONG, UNIQUE_KEYS } from './statements/table-keys.sql.js';

/** What a table asks of the values of its columns. */
export interface TableKeys {
  readonly unique: readonly UniqueKey[];
  /** By column. */
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly checks: readonly Check[];
}

export interface UniqueKey {
  readonly columns: readonly string[];
  /** Columns whose case does not count: `lower(email)`. */
  readonly folded: readonly string[];
  readonly nullsNotDistinct: boolean;
}

export interface ColumnType {
  /** As SQL writes it: `numeric(5,2)`, `public.mood`. */
  readonly sql: string;
  /** The name of the type itself, or of the one that it is a domain over. */
  readonly base: string;
  /** By the column or a domain. */
  readonly notNull: boolean;
}

export interface Check {
  /** Over bare names of columns. */
  readonly expression: string;
  readonly columns: readonly string[];
}

/** Tables by oid, of which one may be unknown to the job. */
export interface ForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly referenced: string;
  readonly referencedColumns: readonly string[];
}

/** Reads what tables ask, by oid. */
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

/** Foreign keys of the tables and into them. */
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

/** An index on an expression that cannot be read is left out: the server judges it when the rows are in. */
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

// As the server writes it: lower(email), lower((email)::text), lower("E-mail").
const LOWERED = /^lower\(\(?(?:([a-z_][a-z0-9_$]*)|"((?:[^"]|"")+)")\)?(?:::text)?\)$/;

/** The column of `lower(column)`. */
function lowered(expression: string): string | undefined {
  const [, plain, quoted] = LOWERED.exec(expression) ?? [];
  return plain ?? quoted?.replaceAll('""', '"');
}
