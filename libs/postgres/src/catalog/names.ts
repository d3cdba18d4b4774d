import type { TableName, SqlName } from '@understudy/sync-job';
import { readSqlName } from '@understudy/records';

const MAX_BYTES = 63;

/**
 * Returns a name from a catalog query, or undefined if the text is longer than a name can be.
 * @param identifier a value of type `name`
 */
export function sqlName(identifier: string): SqlName | undefined {
  return Buffer.byteLength(identifier) <= MAX_BYTES ? (identifier as SqlName) : undefined;
}

/** Returns those of the texts that {@link sqlName} accepts, by field. A field without a text is left out. */
export function sqlNames<Field extends string>(texts: {
  readonly [F in Field]?: string | null | undefined;
}): { readonly [F in Field]?: SqlName } {
  const names: { [F in Field]?: SqlName } = {};
  for (const field of Object.keys(texts) as Field[]) {
    const text = texts[field] ?? undefined;
    const name = text === undefined ? undefined : sqlName(text);
    if (name !== undefined) names[field] = name;
  }
  return names;
}

/** Returns the schemas and the names of tables, as two parameters of a query. */
export function schemasAndNames(tables: readonly TableName[]): [string[], string[]] {
  return [tables.map(({ schema }) => schema), tables.map(({ table }) => table)];
}

/**
 * Parses a table name such as `t`, `schema.t` or `"Odd Schema"."T"`. As in SQL, folds names without quotes to lower case.
 * Without a schema, the table is in `public`.
 * @returns undefined if the text is not a valid name
 */
export function parseTableName(name: string): TableName | undefined {
  const parts = readSqlName(name);
  if (parts === undefined) return undefined;
  const [first = '', second] = parts;
  return second === undefined ? { schema: 'public', table: first } : { schema: first, table: second };
}
