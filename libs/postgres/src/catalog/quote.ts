import type { TableName } from '@understudy/sync-job';

/** Quotes a name, so that SQL neither folds its case nor reads it as a keyword. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes both parts of a table's name. */
export function quoteTable({ schema, table }: TableName): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
}

/**
 * Quotes a text for any value of `standard_conforming_strings`. A text with a backslash needs the form E'…'. The blank
 * before it separates it from a keyword.
 */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
