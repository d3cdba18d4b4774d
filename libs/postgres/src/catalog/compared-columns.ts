import type { Client } from 'pg';
import { COMPARED_COLUMNS, TYPE_DEFINITIONS } from './statements/compared-columns.sql.js';
import { sqlName } from './names.js';
import { quoteIdentifier } from './quote.js';
import { readRows, withoutNulls } from './read-rows.js';
import type { SqlName } from '@understudy/sync-job';

/** A type with the modifier and the collation with which a column or another type uses it. */
export interface TypeUse {
  readonly typeName: SqlName | undefined;
  /** The category in pg_type.typcategory, such as `S` for text and `N` for numbers. */
  readonly category: string;
  /** The type without its modifier. Equal texts mean equal names, also in different databases. */
  readonly base: string;
  /** The type with its modifier. Equal texts mean equal names and modifiers, also in different databases. */
  readonly type: string;
  readonly hasModifier: boolean;
  /** The length n of varchar(n), char(n) or bit(n); undefined for other types. */
  readonly length: number | undefined;
  readonly collation: string | undefined;
  /** The ICU locale of a nondeterministic collation; undefined for other collations. */
  readonly looseLocale: string | undefined;
}

/** The properties of a column that decide whether it can store the values of a column of another database. */
export interface ComparedColumn extends TypeUse {
  readonly name: string;
  /** Whether the column rejects new NULLs. */
  readonly notNull: boolean;
  /** Whether the column rejects NULLs and existing rows contain none. */
  readonly neverNull: boolean;
  readonly generated: boolean;
  /** The text of a generated column's expression, without casts, brackets, spaces and schemas. */
  readonly expression: string | undefined;
  /** The major version of the server. Other versions can write the same expression differently. */
  readonly serverVersion: number;
  /** The labels of the enum, in their order, if the type is an enum or an array of an enum. */
  readonly labels: readonly string[] | undefined;
}

/** The definition of a type that PostgreSQL does not contain. */
export interface TypeDefinition {
  /** The text of {@link TypeUse.base}. */
  readonly base: string;
  readonly typeName: SqlName | undefined;
  /** The kind in pg_type.typtype, such as `d` for a domain. */
  readonly kind: string;
  /** The labels of an enum, in their order. */
  readonly labels: readonly string[];
  /** The storage and the input and output functions of a base type; undefined for types that consist of others. */
  readonly code: string | undefined;
  /** The types that the type consists of, in order. `role` is the name of a composite type's attribute, for example. */
  readonly parts: readonly (TypeUse & { readonly role: string })[];
}

/** A row whose type's name is not yet an {@link SqlName}. */
type RowOf<T extends TypeUse> = Omit<T, 'typeName'> & { readonly typeName: string };

/** Reads the columns of a table, in the table's order. */
export async function readComparedColumns(client: Client, oid: string): Promise<readonly ComparedColumn[]> {
  const rows = await readRows<RowOf<ComparedColumn>>(client, COMPARED_COLUMNS, [oid]);
  return rows.map((row) => ({ ...row, typeName: sqlName(row.typeName) }));
}

/**
 * Reads the definitions of types, and of the types that they consist of, by oid. Leaves out the types of PostgreSQL.
 * Uses one query for each level of the definitions.
 */
export async function readTypeDefinitions(
  client: Client,
  oids: readonly number[],
): Promise<ReadonlyMap<number, TypeDefinition>> {
  const found = new Map<number, TypeDefinition>();
  let wanted = [...new Set(oids)].filter((oid) => oid >= FIRST_NOT_BUILT_IN);
  while (wanted.length > 0) {
    const rows = await readRows<DefinitionRow>(client, TYPE_DEFINITIONS, [wanted, null]);
    for (const row of rows) found.set(row.oid, toDefinition(row));
    const parts = rows.flatMap((row) => row.parts.map(({ oid }) => oid));
    wanted = [...new Set(parts)].filter((oid) => oid >= FIRST_NOT_BUILT_IN && !found.has(oid));
  }
  return found;
}

/** Finds the definitions of types by {@link TypeDefinition.base}. */
export async function findTypeDefinitions(
  client: Client,
  bases: readonly string[],
): Promise<ReadonlyMap<string, TypeDefinition>> {
  if (bases.length === 0) return new Map();
  const rows = await readRows<DefinitionRow>(client, TYPE_DEFINITIONS, [null, bases]);
  return new Map(rows.map((row) => [row.base, toDefinition(row)]));
}

/** FirstNormalObjectId of PostgreSQL. The types of PostgreSQL itself have smaller oids. */
const FIRST_NOT_BUILT_IN = 16_384;

interface DefinitionRow extends Omit<TypeDefinition, 'typeName' | 'parts'> {
  readonly oid: number;
  readonly name: string;
  readonly parts: readonly (RowOf<TypeDefinition['parts'][number]> & { readonly oid: number })[];
}

function toDefinition({ name, parts, ...row }: DefinitionRow): TypeDefinition {
  const uses = parts.map((part) => ({ ...withoutNulls(part), typeName: sqlName(part.typeName) }));
  return { ...row, typeName: sqlName(name), parts: uses };
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
