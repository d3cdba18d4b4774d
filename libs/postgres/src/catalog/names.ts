import type { TableName, SqlName } from '@understudy/sync-job';
import { readSqlName } from '@understudy/records';

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

const MAX_BYTES = 63;

/** @param identifier a column of type `name` of a catalog query; whatever is longer than a name can be is none */
export function sqlName(identifier: string): SqlName | undefined {
  return Buffer.byteLength(identifier) <= MAX_BYTES ? (identifier as SqlName) : undefined;
}

/** Reads `t`, `schema.t` or `"Odd Schema"."T"` as SQL does: plain names fold to lower case. @returns undefined when it is none */
export function parseTableName(name: string): TableName | undefined {
  const parts = readSqlName(name);
  if (parts === undefined) return undefined;
  const [first = '', second] = parts;
  return second === undefined ? { schema: 'public', table: first } : { schema: first, table: second };
}
