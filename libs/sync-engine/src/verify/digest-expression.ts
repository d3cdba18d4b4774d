import { OID } from '@understudy/copy-format';
import { quoteIdentifier } from '@understudy/postgres';

/** The type of a column on one server. For a domain, this is its base type. */
export interface ColumnType {
  /** The oid of the type. Built-in types have the same oid on every server. */
  readonly type: number;
  /** The SQL name of the type, with its modifier. */
  readonly name: string;
  /** The encoding of the database. */
  readonly encoding?: string;
}

/**
 * Builds the SQL expression of a row's digest, for both sides. A row's digest is the server's hash of a record of the
 * row's columns. Values with different text forms have different digests, except for collisions of 64-bit hashes. If the
 * hash of a built-in type depends on the whole value and is the same on every server, the record contains the value. If
 * it ignores something, as that of numeric ignores the sign and trailing zeros, the record contains the value's binary
 * form. For any other type, and if the types of both sides differ, it contains the text form. For example, PostgreSQL's
 * hash of an enum is the hash of an oid, which differs between servers. If the encodings of the databases differ, texts
 * are hashed in UTF-8. Requires PostgreSQL 14. Pure.
 * @param columns at least one column
 */
export function digestExpression(
  columns: readonly { readonly name: string; readonly source: ColumnType; readonly target: ColumnType }[],
): string {
  return rowHash(
    columns.map(({ name, source, target }) => {
      const sql = quoteIdentifier(name);
      const isConverted = source.encoding !== target.encoding;
      const exact = source.name === target.name ? exactValue(sql, source) : undefined;
      if (exact !== undefined && !(isConverted && holdsText(source))) return exact;
      return isConverted ? inUtf8(sql) : asText(sql);
    }),
  );
}

/**
 * Hashes a record twice. A record's hash is a linear combination of its columns' hashes, so the sum over all
 * rows would be the same if two rows exchanged their values in a column. The second hash prevents that. Its
 * input is the first hash as a float8, because the hash of a float8 depends on 53 bits. The hash of an int8
 * would depend on only 32 bits.
 */
export function rowHash(values: readonly string[]): string {
  const record = `pg_catalog.hash_record_extended(ROW(${values.join(', ')}), 0)`;
  return `pg_catalog.hashfloat8extended(${record}::pg_catalog.float8, 0)`;
}

/** @returns undefined if only the text form is the same on every server and distinguishes all values */
function exactValue(sql: string, { type, name }: ColumnType): string | undefined {
  if (HASHED.has(type)) return sql;
  // Texts are hashed by their bytes. The length is fixed by a modifier.
  if (TEXTS.has(type) || (type === OID.bpchar && hasModifier(name))) return `(${sql}) COLLATE pg_catalog."C"`;
  if (type === OID.json || type === OID.jsonb) return `(${sql})::pg_catalog.text COLLATE pg_catalog."C"`;
  const send = SENT.get(type);
  return send === undefined ? undefined : `pg_catalog.${send}(${sql})`;
}

function hasModifier(typeName: string): boolean {
  return typeName.includes('(');
}

function holdsText({ type }: ColumnType): boolean {
  return TEXTS.has(type) || type === OID.bpchar || type === OID.json || type === OID.jsonb;
}

/**
 * Returns SQL for a text that contains the result of the type's output function, which COPY also uses. A cast
 * to text can return another text. For example, the cast of an xml value keeps an encoding that the output
 * function omits. Therefore, the SQL puts the value into a record with one column and casts the record to
 * text. The text of the record also distinguishes NULL from an empty text.
 */
function asText(sql: string): string {
  return `ROW(${sql})::pg_catalog.text COLLATE pg_catalog."C"`;
}

/** Returns SQL for the bytes of the text in UTF-8. */
function inUtf8(sql: string): string {
  return `pg_catalog.convert_to(${asText(sql)}, 'UTF8')`;
}

/** Types that are hashed by their bytes, with the collation "C". */
const TEXTS: ReadonlySet<number> = new Set([OID.name, OID.text, OID.varchar]);

/** Types with a hash of the whole value that is the same on every server. */
const HASHED: ReadonlySet<number> = new Set([
  ...[OID.bool, OID.bytea, OID.int2, OID.int4, OID.oid, OID.date, OID.uuid, OID.inet, OID.macaddr],
  OID.macaddr8,
]);

/**
 * The functions for the binary form of types that PostgreSQL hashes in only 32 bits, or without a part of the value. Equal
 * text forms have equal binary forms. That is not so for arrays, and for the NaN of floats. Not interval: servers before
 * 17 have another text form for the bytes of an infinite one.
 */
const SENT: ReadonlyMap<number, string> = new Map([
  [OID.int8, 'int8send'],
  [OID.numeric, 'numeric_send'],
  [OID.time, 'time_send'],
  [OID.timetz, 'timetz_send'],
  [OID.timestamp, 'timestamp_send'],
  [OID.timestamptz, 'timestamptz_send'],
]);
