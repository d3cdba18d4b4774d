import { OID } from '@understudy/copy-format';
import { quoteIdentifier } from '@understudy/postgres';

/** A column's type as a server has it, domains resolved. */
export interface ColumnType {
  /** Oid; those of built-in types are the same on every server. */
  readonly type: number;
  /** Of an array: its elements' type; else 0. */
  readonly element: number;
  /** With its modifier, as SQL spells it. */
  readonly name: string;
}

/** SQL that digests a row of each side, such that equal values give equal digests. */
export interface DigestExpressions {
  readonly source: string;
  readonly target: string;
}

/**
 * Pure. A row's digest is the server's own hash of the columns as a record: of built-in types whose hash is the same on every
 * server, by the type's equality; of all others (an enum's hash is that of an oid), of their text. Needs PostgreSQL 14.
 * Where the target's type is another, the source's value is read as that type, from its text, as COPY does.
 * @param columns at least one
 */
export function digestExpressions(
  columns: readonly { readonly name: string; readonly source: ColumnType; readonly target: ColumnType }[],
): DigestExpressions {
  return {
    source: rowHash(columns.map(({ name, ...types }) => sourceValue(quoteIdentifier(name), types))),
    target: rowHash(columns.map(({ name, target }) => value(quoteIdentifier(name), target))),
  };
}

/**
 * A record's hash is a linear combination of its columns' hashes, so that a sum over rows would not see two rows exchange a value. Hashed
 * once more it does. As a float8, whose hash takes 53 bits of it; int8's takes 32.
 */
function rowHash(values: readonly string[]): string {
  const record = `pg_catalog.hash_record_extended(ROW(${values.join(', ')}), 0)`;
  return `pg_catalog.hashfloat8extended(${record}::pg_catalog.float8, 0)`;
}

function sourceValue(column: string, types: { source: ColumnType; target: ColumnType }): string {
  const { source, target } = types;
  if (source.name === target.name) return value(column, source);
  if (target.type >= FIRST_NOT_BUILT_IN || target.element >= FIRST_NOT_BUILT_IN) return asText(column);
  // `format` writes a value by its type's output function; of NULL it would make an empty text.
  const output = `CASE WHEN NOT (${column} IS NULL) THEN pg_catalog.format('%s', ${column}) END`;
  return value(`(${output})::${target.name}`, target);
}

function value(sql: string, { type, element }: ColumnType): string {
  if (type === OID.json) return `(${sql})::pg_catalog.text COLLATE pg_catalog."C"`; // what it holds is its text, however long
  if (TEXTS.has(type) || TEXTS.has(element)) return `(${sql}) COLLATE pg_catalog."C"`;
  return isPortable({ type, element }) ? sql : asText(sql);
}

/**
 * By the type's output function, as COPY has it: a cast may be the type's own, and that of xml keeps an encoding that its output leaves
 * out. A record's text calls it, and tells NULL from nothing.
 */
function asText(sql: string): string {
  return `ROW(${sql})::pg_catalog.text COLLATE pg_catalog."C"`;
}

function isPortable({ type, element }: Pick<ColumnType, 'type' | 'element'>): boolean {
  return [type, element].some((oid) => TEXTS.has(oid) || VALUES.has(oid));
}

/** FirstNormalObjectId of the server's sources: the source cannot know a type of the target's own. */
const FIRST_NOT_BUILT_IN = 16_384;

/** Types that are compared as bytes, if the collation allows it. */
const TEXTS: ReadonlySet<number> = new Set([OID.name, OID.text, OID.bpchar, OID.varchar]);

/** Types with a hash that is the same on every server. */
const VALUES: ReadonlySet<number> = new Set([
  ...[OID.bool, OID.bytea, OID.int8, OID.int2, OID.int4, OID.oid, OID.float4, OID.float8, OID.macaddr8],
  ...[OID.macaddr, OID.inet, OID.date, OID.time, OID.timestamp, OID.timestamptz, OID.interval, OID.timetz],
  ...[OID.numeric, OID.uuid, OID.jsonb],
]);
