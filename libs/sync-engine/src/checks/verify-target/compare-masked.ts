import { quoteIdentifier } from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import type { MaskedValues } from './target-check.js';

/** A table on one of the two databases. */
export interface MaskedSide {
  /** A client in a transaction. */
  readonly client: LocatedClient;
  /** The FROM item of the rows. */
  readonly from: string;
}

/**
 * Counts, for each column, the rows that have the same value on both sides. Rows are paired by a preserved
 * key. The servers compute 64-bit hashes of keys and values, and only these are compared. Costs a sort of the
 * table on each side, and memory for 5,000 rows of each side.
 * @param key the columns of the key
 * @returns the counts in the order of the columns
 */
export async function compareMasked(
  key: readonly string[],
  columns: readonly string[],
  source: MaskedSide,
  target: MaskedSide,
): Promise<readonly Omit<MaskedValues, 'differs'>[]> {
  const counts = columns.map(() => ({ pairs: 0, equal: 0 }));
  const ofSource = hashes(source, key, columns);
  const ofTarget = hashes(target, key, columns);
  let [left, right] = [await ofSource.next(), await ofTarget.next()];
  while (left.done !== true && right.done !== true) {
    const [a, b] = [left.value, right.value];
    const [keyA, keyB] = [BigInt(a[0] ?? 0), BigInt(b[0] ?? 0)];
    if (keyA === keyB) countPair(a, b, counts);
    if (keyA <= keyB) left = await ofSource.next();
    if (keyB <= keyA) right = await ofTarget.next();
  }
  await ofSource.return();
  await ofTarget.return();
  return counts;
}

/** The hash of the key, then the hashes of the columns, as texts of int8 values. */
type HashedRow = readonly (string | null)[];

function countPair(a: HashedRow, b: HashedRow, counts: { pairs: number; equal: number }[]): void {
  for (const [i, count] of counts.entries()) {
    const [before, after] = [a[i + 1], b[i + 1]];
    if (before === null || after === null) continue;
    count.pairs += 1;
    if (before === after) count.equal += 1;
  }
}

const BATCH_ROWS = 5_000;
const CURSOR = 'understudy_masked';

async function* hashes(
  { client, from }: MaskedSide,
  key: readonly string[],
  columns: readonly string[],
): AsyncGenerator<HashedRow, void, void> {
  const whole = `ROW(${key.map(quoteIdentifier).join(', ')})::pg_catalog.text`;
  const values = columns
    .map(quoteIdentifier)
    .map(
      (column) =>
        `CASE WHEN NOT (${column} IS NULL) THEN ${hash(`pg_catalog.format('%s', ${column})`)}::pg_catalog.text END`,
    );
  const query = `SELECT ${hash(whole)}::pg_catalog.text, ${values.join(', ')} FROM ${from} ORDER BY ${hash(whole)}`;
  await client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${query}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${BATCH_ROWS} FROM ${CURSOR}`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    yield* rows;
  }
  await client.query(`CLOSE ${CURSOR}`);
}

/**
 * Hashes a text. The collation "C" makes the hash depend on the bytes only, so it is the same on every
 * server.
 */
function hash(text: string): string {
  return `pg_catalog.hashtextextended((${text}) COLLATE pg_catalog."C", 0)`;
}
