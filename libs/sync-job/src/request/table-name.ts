/** A table name after parsing. Two spellings of the same name give equal objects. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`;
const NAME = new RegExp(`^(?:(${IDENTIFIER})\\.)?(${IDENTIFIER})$`, 'u');

/** PostgreSQL's NAMEDATALEN − 1, in bytes. PostgreSQL would silently truncate longer names. */
export const MAX_IDENTIFIER_BYTES = 63;

/** Parses a table name. @returns undefined unless the text is `t`, `schema.t` or a quoted form of these */
export function readTableName(text: string): TableName | undefined {
  const [, schema = 'public', table] = NAME.exec(text) ?? [];
  if (table === undefined) return undefined;
  const name = { schema: unquote(schema), table: unquote(table) };
  return Object.values(name).some((part) => utf8Length(part) > MAX_IDENTIFIER_BYTES) ? undefined : name;
}

export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : ENCODER.encode(text).length;
}

/** A job can have 200,000 names, and most have only such characters. */
const ASCII = /^\p{ASCII}*$/u;
const ENCODER = new TextEncoder();

/** Writes the shortest text that {@link readTableName} reads as this table. */
export function writeTableName({ schema, table }: TableName): string {
  return schema === 'public' ? quoteIfNeeded(table) : `${quoteIfNeeded(schema)}.${quoteIfNeeded(table)}`;
}

/**
 * Quotes a name unless it is a plain identifier. Keywords are not quoted: only the API reads the
 * result, and the API accepts keywords without quotes.
 */
function quoteIfNeeded(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !/[A-Z]/.test(name)
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

function unquote(identifier: string): string {
  if (identifier.startsWith('"')) return identifier.slice(1, -1).replaceAll('""', '"');
  // In multi-byte encodings, PostgreSQL folds only ASCII letters to lower case.
  return identifier.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
