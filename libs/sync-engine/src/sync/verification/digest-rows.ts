import { guard } from '../../postgres/guard.js';
import { quoteIdentifier, quoteTable } from '../../postgres/quote.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { Client, Session } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import { overSessions } from '../over-sessions.js';

/** One side of a table, and what is to be known of its rows. */
export interface DigestTask {
  readonly tableIndex: number;
  /** A table, or a query in brackets, as it stands after FROM. */
  readonly from: string;
  /** Undefined: rows are counted alone. */
  readonly digest: string | undefined;
  /** Columns that should be NULL in every row. */
  readonly nulled: readonly string[];
}

export interface RowDigest {
  readonly rows: number;
  /** The sum of all rows' digests: the same in any order. */
  readonly digest: string;
  readonly isNulled: boolean;
}

export interface DigestRequest {
  /** Largest first. */
  readonly tasks: readonly DigestTask[];
  /** At most so many at once; the server may put more of its processes to each. */
  readonly connections: number;
  readonly open: () => Promise<Session>;
  readonly contextOf: (tableIndex: number) => FailureContext;
  /** Told of each table when it is read. */
  readonly onDone?: (tableIndex: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads each table once. @returns by table index
 * @throws the first failure, or the signal's reason; then all have stopped
 */
export async function digestRows(request: DigestRequest): Promise<ReadonlyMap<number, RowDigest>> {
  const { tasks, connections, open, contextOf, onDone, signal } = request;
  const found = new Map<number, RowDigest>();
  const run = async (client: Client, task: DigestTask): Promise<void> => {
    const { tableIndex } = task;
    found.set(tableIndex, await guard(contextOf(tableIndex), () => digest(client, task)));
    onDone?.(tableIndex);
  };
  await overSessions({ tasks, connections, open, run, signal });
  return found;
}

/** As it stands after FROM: rows of inheriting tables are not the table's own, those of partitions are. */
export function rowsOf(name: TableName, isPartitioned: boolean): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(name)}`;
}

async function digest(client: Client, { from, digest: sql, nulled }: DigestTask): Promise<RowDigest> {
  const sum = sql === undefined ? `''` : `coalesce(pg_catalog.sum(${sql}), 0)::pg_catalog.text`;
  const filled = nulled.map((column) => `pg_catalog.count(${quoteIdentifier(column)})`).join(' + ');
  const { rows } = await client.query<{ rows: number; digest: string; filled: number }>(
    `SELECT pg_catalog.count(*)::float8 AS rows, ${sum} AS digest, (${filled || '0'})::float8 AS filled FROM ${from}`,
  );
  const [row] = rows;
  return { rows: row?.rows ?? 0, digest: row?.digest ?? '', isNulled: row?.filled === 0 };
}
