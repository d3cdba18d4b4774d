import type { Client } from '@understudy/postgres';

/** The digest of a set of rows. It does not depend on the order of the rows. */
export interface TableDigest {
  readonly rows: number;
  /** For each digest expression: the sum of its values over all rows. */
  readonly sums: readonly bigint[];
}

/**
 * Computes the digest of a table in one read.
 * @param from the FROM item of the rows
 * @param expressions SQL of int8 expressions
 */
export async function digestTable(
  client: Client,
  from: string,
  expressions: readonly string[],
): Promise<TableDigest> {
  // The sums are returned as one array, because a select list has at most 1,664 items.
  const sums = expressions.map((sql) => `coalesce(pg_catalog.sum(${sql}), 0)::pg_catalog.text`);
  const { rows } = await client.query<{ rows: number; sums: string[] }>(
    `SELECT pg_catalog.count(*)::float8 AS rows, ARRAY[${sums.join(', ')}]::pg_catalog.text[] AS sums FROM ${from}`,
  );
  const [row] = rows;
  return { rows: row?.rows ?? 0, sums: (row?.sums ?? []).map(BigInt) };
}

/** Returns the digest of both sets of rows together. */
export function added(a: TableDigest | undefined, b: TableDigest): TableDigest {
  if (a === undefined) return b;
  return { rows: a.rows + b.rows, sums: a.sums.map((sum, i) => sum + (b.sums[i] ?? 0n)) };
}
