import { OID } from '@understudy/copy-format';
import { type ColumnDescription, quoteIdentifier } from '@understudy/postgres';

/**
 * Two 64-bit seeds. Each verification has new ones, so that nobody can prepare a change that leaves the
 * digests equal.
 */
export type DigestSeeds = readonly [bigint, bigint];

export type DigestedColumn = Pick<ColumnDescription, 'name' | 'type'>;

/**
 * Writes two SQL expressions, one for each seed. Each expression computes a digest of type int8 from some
 * columns of a row. If `columns` is empty, the function returns an empty array. Compare only digests that the
 * same server computed, because two servers may print values differently. Pure.
 *
 * A record's hash is a linear combination of its columns' hashes. So the sum of the record hashes of all rows
 * would not change if two rows swapped a value. To prevent this, each expression hashes all 64 bits of the
 * record's hash again.
 */
export function digestsOf(columns: readonly DigestedColumn[], seeds: DigestSeeds): readonly string[] {
  if (columns.length === 0) return [];
  const record = `ROW(${columns.map(hashable).join(', ')})`;
  return seeds.map((seed) => {
    const literal = `'${BigInt.asIntN(64, seed)}'::pg_catalog.int8`;
    const hash = `pg_catalog.hash_record_extended(${record}, ${literal})`;
    return `pg_catalog.hashtextextended(${hash}::pg_catalog.text COLLATE pg_catalog."C", ${literal})`;
  });
}

/**
 * Returns SQL for the value that is hashed: bytes and texts unchanged, and any other type as the text that
 * COPY would send. So values with different text forms have different digests. PostgreSQL's own hashes do not
 * ensure that. An int8 hash has only 32 bits for any seed, and a jsonb hash does not change if two array
 * elements at a distance of 64 are swapped.
 */
function hashable({ name, type }: DigestedColumn): string {
  const column = quoteIdentifier(name);
  if (type === OID.bytea) return column;
  return `${TEXTS.has(type) ? `(${column})` : `ROW(${column})::pg_catalog.text`} COLLATE pg_catalog."C"`;
}

/** The text types, without domains. */
const TEXTS: ReadonlySet<number> = new Set([OID.text, OID.varchar]);
