import type { Client } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import type { SyncJobResult, SyncWarning } from '../job-reporter.js';
import { type JobAttempt, stagingTable } from './staging-names.js';

/** The row of a job on its target. */
export interface LedgerRow {
  readonly epoch: number;
  readonly state: 'staging' | 'switched';
  readonly fingerprint: string;
  readonly snapshotId: string;
  /** The chunks, as they were planned in that snapshot. */
  readonly plan: string;
  readonly finishSql: string;
  readonly warnings: readonly SyncWarning[];
  /** What was committed, once it was. */
  readonly outcome: SyncJobResult | undefined;
}

/** Where a table's rows wait. */
export interface StagedTable {
  readonly tableIndex: number;
  readonly into: TableName;
  /** Beside an existing table. Otherwise the heap is the table itself. */
  readonly unlogged: boolean;
}

export interface LedgerChunk {
  readonly tableIndex: number;
  readonly number: number;
  readonly rows: number;
  readonly bytes: number;
  /** Columns in which a value was cut. */
  readonly truncated: readonly string[];
}

/** Something to be built on a staged table when its rows are in. */
export interface Build {
  readonly n: number;
  readonly tableIndex: number | undefined;
  readonly sql: string;
}

/** @returns undefined when the target knows nothing of the job */
export async function readLedgerRow(client: Client, jobId: string): Promise<LedgerRow | undefined> {
  const table = stagingTable(jobId, 'job');
  if (!(await isThere(client, table))) return undefined;
  const { rows } = await client.query<RawRow>(
    `SELECT epoch, state, fingerprint, snapshot_id, plan, finish_sql, warnings, outcome FROM ${table} WHERE job_id = $1`,
    [jobId],
  );
  return rows[0] && toLedgerRow(rows[0]);
}

export async function isThere(client: Client, quotedName: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'SELECT pg_catalog.to_regclass($1) IS NOT NULL AS there',
    [quotedName],
  );
  return rows[0]?.there === true;
}

export async function readStagedTables(client: Client, jobId: string): Promise<readonly StagedTable[]> {
  const { rows } = await client.query<{ table_index: number; unlogged: boolean } & Record<string, string>>(
    `SELECT table_index, schema, name, unlogged FROM ${stagingTable(jobId, 'staged')} ORDER BY table_index`,
  );
  return rows.map(({ table_index: tableIndex, schema = '', name = '', unlogged }) => ({
    tableIndex,
    into: { schema, table: name },
    unlogged,
  }));
}

/** Chunks whose rows are committed, in any attempt. */
export async function readChunks(client: Client, jobId: string): Promise<readonly LedgerChunk[]> {
  const from = (name: string) =>
    `SELECT table_index, chunk, rows, bytes, truncated FROM ${stagingTable(jobId, name)}`;
  const { rows } = await client.query<{
    table_index: number;
    chunk: number;
    rows: string;
    bytes: string;
    truncated: string;
  }>(`${from('chunk_logged')} UNION ALL ${from('chunk_unlogged')} ORDER BY 1, 2`);
  return rows.map((row) => ({
    tableIndex: row.table_index,
    number: row.chunk,
    rows: Number(row.rows),
    bytes: Number(row.bytes),
    truncated: JSON.parse(row.truncated) as string[],
  }));
}

/** What is still to be built. */
export async function readBuilds(client: Client, jobId: string): Promise<readonly Build[]> {
  const { rows } = await client.query<{ n: number; table_index: number | null; sql: string }>(
    `SELECT n, table_index, sql FROM ${stagingTable(jobId, 'build')} WHERE NOT done ORDER BY n`,
  );
  return rows.map(({ n, table_index: tableIndex, sql }) => ({
    n,
    tableIndex: tableIndex ?? undefined,
    sql,
  }));
}

/** Has a later attempt taken the job? For telling why a statement failed; never throws. */
export async function isOvertaken(client: Client, { jobId, epoch }: JobAttempt): Promise<boolean> {
  try {
    const row = await readLedgerRow(client, jobId);
    return row === undefined || row.epoch > epoch;
  } catch {
    return false; // the connection is gone: that is the failure then
  }
}

interface RawRow {
  epoch: number;
  state: 'staging' | 'switched';
  fingerprint: string;
  snapshot_id: string;
  plan: string;
  finish_sql: string;
  warnings: string;
  outcome: string | null;
}

function toLedgerRow(row: RawRow): LedgerRow {
  return {
    epoch: row.epoch,
    state: row.state,
    fingerprint: row.fingerprint,
    snapshotId: row.snapshot_id,
    plan: row.plan,
    finishSql: row.finish_sql,
    warnings: JSON.parse(row.warnings) as SyncWarning[],
    outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as SyncJobResult),
  };
}
