/** A table name as SQL reads it, to tell two spellings of one table apart from two tables. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`;
const NAME = new RegExp(`^(?:(${IDENTIFIER})\\.)?(${IDENTIFIER})$`, 'u');

/** PostgreSQL's NAMEDATALEN − 1, in bytes; longer names would be cut silently. */
export const MAX_IDENTIFIER_BYTES = 63;

/** @returns undefined when the text is not `t`, `schema.t` or their quoted forms */
export function readTableName(text: string): TableName | undefined {
  const [, schema = 'public', table] = NAME.exec(text) ?? [];
  if (table === undefined) return undefined;
  const name = { schema: unquote(schema), table: unquote(table) };
  return Object.values(name).some((part) => utf8Length(part) > MAX_IDENTIFIER_BYTES) ? undefined : name;
}

/** The length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The shortest text that {@link readTableName} reads as that table. */
export function writeTableName({ schema, table }: TableName): string {
  return schema === 'public' ? quoteIfNeeded(table) : `${quoteIfNeeded(schema)}.${quoteIfNeeded(table)}`;
}

/** Key words are left as they are: the text is for the API, whose names are read without a list of them. */
function quoteIfNeeded(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !/[A-Z]/.test(name)
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

function unquote(identifier: string): string {
  if (identifier.startsWith('"')) return identifier.slice(1, -1).replaceAll('""', '"');
  // PostgreSQL folds ASCII letters only in multi-byte encodings.
  return identifier.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
