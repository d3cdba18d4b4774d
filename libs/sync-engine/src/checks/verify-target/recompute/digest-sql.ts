import { OID } from '@understudy/copy-format';
import { type ColumnDescription, quoteIdentifier } from '@understudy/postgres';

/** Two seeds of 64 bits. Drawn for each verification, so that no change can be made up that they do not see. */
export type DigestSeeds = readonly [bigint, bigint];

export type DigestedColumn = Pick<ColumnDescription, 'name' | 'type'>;

/**
 * Pure. SQL of int8 expressions, one a seed, that digest some columns of a row as the server writes them: together 128 bits. Of no column
 * there is nothing to digest. To be compared on one server only: what two servers write may differ.
 *
 * A record's hash is a linear combination of its columns' hashes, so that sums over rows would not see two rows exchange a value. Hashed
 * once more, all 64 bits of it, they do.
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
 * Bytes and texts as they are; of all else the text that COPY would send. The hashes of many types fold them: an int8's has 32 bits whatever
 * the seed, and that of jsonb does not tell two elements of an array from each other that stand 64 apart.
 */
function hashable({ name, type }: DigestedColumn): string {
  const column = quoteIdentifier(name);
  if (type === OID.bytea) return column;
  return `${TEXTS.has(type) ? `(${column})` : `ROW(${column})::pg_catalog.text`} COLLATE pg_catalog."C"`;
}

/** Text types but those of domains. */
const TEXTS: ReadonlySet<number> = new Set([OID.text, OID.varchar]);
