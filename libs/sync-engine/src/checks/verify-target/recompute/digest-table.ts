import type { Client } from '@understudy/postgres';

/** Of any number of rows, in any order. */
export interface TableDigest {
  readonly rows: number;
  /** Of the rows' digests, by expression. */
  readonly sums: readonly bigint[];
}

/** Reads a table once. @param from as it stands after FROM @param expressions of int8 */
export async function digestTable(
  client: Client,
  from: string,
  expressions: readonly string[],
): Promise<TableDigest> {
  // In an array: a list of targets may have no more than 1,664 items.
  const sums = expressions.map((sql) => `coalesce(pg_catalog.sum(${sql}), 0)::pg_catalog.text`);
  const { rows } = await client.query<{ rows: number; sums: string[] }>(
    `SELECT pg_catalog.count(*)::float8 AS rows, ARRAY[${sums.join(', ')}]::pg_catalog.text[] AS sums FROM ${from}`,
  );
  const [row] = rows;
  return { rows: row?.rows ?? 0, sums: (row?.sums ?? []).map(BigInt) };
}

/** The digest of the rows of both. */
export function added(a: TableDigest | undefined, b: TableDigest): TableDigest {
  if (a === undefined) return b;
  return { rows: a.rows + b.rows, sums: a.sums.map((sum, i) => sum + (b.sums[i] ?? 0n)) };
}
