import { guard, type FailureContext } from '../../session/guard.js';
import { quoteIdentifier, type Client } from '@understudy/postgres';
import type { MaskedValues } from './target-check.js';

/** One side of a table. */
export interface MaskedSide {
  /** In a transaction. */
  readonly client: Client;
  /** As it stands after FROM. */
  readonly from: string;
  readonly context: FailureContext;
}

/**
 * Counts in how many rows both sides have the same value. Rows are told by a key that was preserved; values and keys are compared by
 * 64-bit hashes that the servers make, in the order of the keys' hashes. Cost: a sort on both sides, memory for a batch of rows.
 * @param key columns
 * @returns by the columns' places
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

/** Hashes of the key and of the columns, as the server writes an int8. */
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
  { client, from, context }: MaskedSide,
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
  await guard(context, () => client.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${query}`));
  for (;;) {
    const { rows } = await guard(context, () =>
      client.query<(string | null)[]>({ text: `FETCH ${BATCH_ROWS} FROM ${CURSOR}`, rowMode: 'array' }),
    );
    if (rows.length === 0) break;
    yield* rows;
  }
  await guard(context, () => client.query(`CLOSE ${CURSOR}`));
}

/** The same on every server: of bytes, where the collation says so. */
function hash(text: string): string {
  return `pg_catalog.hashtextextended((${text}) COLLATE pg_catalog."C", 0)`;
}
