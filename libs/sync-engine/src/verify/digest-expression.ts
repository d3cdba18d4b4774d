import { OID } from '@understudy/copy-format';
import { quoteIdentifier } from '@understudy/postgres';

/** The type of a column on one server. For a domain, this is its base type. */
export interface ColumnType {
  /** The oid of the type. Built-in types have the same oid on every server. */
  readonly type: number;
  /** The oid of the element type if the type is an array, otherwise 0. */
  readonly element: number;
  /** The SQL name of the type, with its modifier. */
  readonly name: string;
  /** The encoding of the database. */
  readonly encoding?: string;
}

/** SQL expressions for a row's digest on each side. Rows with equal values have equal digests. */
export interface DigestExpressions {
  readonly source: string;
  readonly target: string;
}

/**
 * Builds the digest expressions. A row's digest is the server's hash of a record of the row's columns. If the hash of a
 * built-in type is the same on every server, the record contains the column's value. For any other type, it contains
 * the value's text form. For example, PostgreSQL's hash of an enum is the hash of an oid, which differs between
 * servers. If the target's type differs, the source's value is converted to the target's type through its text form,
 * as in COPY. If the encodings of the databases differ, texts are hashed in UTF-8. Requires PostgreSQL 14. Pure.
 * @param columns at least one column
 */
export function digestExpressions(
  columns: readonly { readonly name: string; readonly source: ColumnType; readonly target: ColumnType }[],
): DigestExpressions {
  return {
    source: rowHash(columns.map(({ name, ...types }) => sourceValue(quoteIdentifier(name), types))),
    target: rowHash(
      columns.map(({ name, ...types }) => value(quoteIdentifier(name), types.target, isConverted(types))),
    ),
  };
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

interface Types {
  readonly source: ColumnType;
  readonly target: ColumnType;
}

function isConverted({ source, target }: Types): boolean {
  return source.encoding !== target.encoding;
}

function sourceValue(column: string, types: Types): string {
  const { source, target } = types;
  const converted = isConverted(types);
  if (source.name === target.name) return value(column, source, converted);
  if (target.type >= FIRST_NOT_BUILT_IN || target.element >= FIRST_NOT_BUILT_IN)
    return converted ? inUtf8(column) : asText(column);
  // `format` returns the text of the type's output function. For NULL it would return an empty text.
  const output = `CASE WHEN NOT (${column} IS NULL) THEN pg_catalog.format('%s', ${column}) END`;
  return value(`(${output})::${target.name}`, target, converted);
}

function value(sql: string, { type, element }: ColumnType, converted: boolean): string {
  const isText = TEXTS.has(type) || TEXTS.has(element) || type === OID.jsonb || element === OID.jsonb;
  if (converted && (isText || !isPortable({ type, element }))) return inUtf8(sql);
  if (type === OID.json) return `(${sql})::pg_catalog.text COLLATE pg_catalog."C"`; // json stores its text
  if (TEXTS.has(type) || TEXTS.has(element)) return `(${sql}) COLLATE pg_catalog."C"`;
  return isPortable({ type, element }) ? sql : asText(sql);
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

function isPortable({ type, element }: Pick<ColumnType, 'type' | 'element'>): boolean {
  return [type, element].some((oid) => TEXTS.has(oid) || VALUES.has(oid));
}

/**
 * FirstNormalObjectId of PostgreSQL. Types with this oid or a greater one are user-defined, so the source may
 * lack such a type of the target.
 */
const FIRST_NOT_BUILT_IN = 16_384;

/** Types that are hashed by their bytes, with the collation "C". */
const TEXTS: ReadonlySet<number> = new Set([OID.name, OID.text, OID.bpchar, OID.varchar]);

/** Types with a hash that is the same on every server. */
const VALUES: ReadonlySet<number> = new Set([
  ...[OID.bool, OID.bytea, OID.int8, OID.int2, OID.int4, OID.oid, OID.float4, OID.float8, OID.macaddr8],
  ...[OID.macaddr, OID.inet, OID.date, OID.time, OID.timestamp, OID.timestamptz, OID.interval, OID.timetz],
  ...[OID.numeric, OID.uuid, OID.jsonb],
]);
