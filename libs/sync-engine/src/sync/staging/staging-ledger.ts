import type { Client } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import type { SyncJobResult, SyncWarning } from '../job-reporter.js';
import { LEDGER_FORMAT } from './ledger-tables.sql.js';
import { stagingTable } from './staging-names.js';

/** The row of a job on its target. */
export interface LedgerRow {
  readonly epoch: number;
  readonly state: 'staging' | 'switched';
  readonly fingerprint: string;
  readonly snapshotId: string;
  /** The chunks, as they were planned in that snapshot. */
  readonly plan: string;
  readonly lateSql: string;
  readonly finishSql: string;
  readonly exchangeSql: string;
  readonly warnings: readonly SyncWarning[];
  /** What was committed, once it was. */
  readonly outcome: SyncJobResult | undefined;
}

/** Where a table's rows wait. */
export interface StagedTable {
  readonly tableIndex: number;
  readonly into: TableName;
  readonly kind: StagedKind;
  /** Of an exchanged one: what its definition says, and that of the table which it is to stand in for. */
  readonly facts?: string;
}

/**
 * `moved`: the table itself, out of sight · `exchanged`: another table of an existing one's definition, out of sight · `twin`: an unlogged table like an existing one · `text`: an unlogged table whose columns
 * are all text, for a table that cannot be made before the switch
 */
export type StagedKind = 'moved' | 'exchanged' | 'twin' | 'text';

/** A table that will be seen as it is, and is as durable as any. */
export function isTableItself(kind: StagedKind): boolean {
  return kind === 'moved' || kind === 'exchanged';
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
  /** Two parts of one transaction, either of which may be empty: others may read the table until the second one begins. */
  readonly building: string;
  readonly attaching: string;
}

/** @returns undefined when the target knows nothing of the job */
export async function readLedgerRow(client: Client, jobId: string): Promise<LedgerRow | undefined> {
  const table = stagingTable(jobId, 'job');
  if (!(await isThere(client, table))) return undefined;
  // As JSON: another version of the agent may have made it, with other columns.
  const { rows } = await client.query<{ row: RawRow }>(
    `SELECT pg_catalog.to_jsonb(j) AS row FROM ${table} AS j WHERE job_id = $1`,
    [jobId],
  );
  return rows[0] && toLedgerRow(rows[0].row);
}

export async function isThere(client: Client, quotedName: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'SELECT pg_catalog.to_regclass($1) IS NOT NULL AS there',
    [quotedName],
  );
  return rows[0]?.there === true;
}

export async function readStagedTables(client: Client, jobId: string): Promise<readonly StagedTable[]> {
  const { rows } = await client.query<{
    table_index: number;
    schema: string;
    name: string;
    kind: StagedKind;
    facts: string | null;
  }>(
    `SELECT table_index, schema, name, kind, facts FROM ${stagingTable(jobId, 'staged')} ORDER BY table_index`,
  );
  return rows.map(({ table_index: tableIndex, schema, name, kind, facts }) => ({
    tableIndex,
    into: { schema, table: name },
    kind,
    ...(facts === null ? {} : { facts }),
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
  const { rows } = await client.query<{
    n: number;
    table_index: number | null;
    building: string;
    attaching: string;
  }>(
    `SELECT n, table_index, building, attaching FROM ${stagingTable(jobId, 'build')} WHERE NOT done ORDER BY n`,
  );
  return rows.map(({ table_index: tableIndex, ...build }) => ({
    ...build,
    tableIndex: tableIndex ?? undefined,
  }));
}

interface RawRow {
  epoch: number;
  state: 'staging' | 'switched';
  format: number;
  outcome: string | null;
  fingerprint: string;
  snapshot_id: string;
  plan: string;
  late_sql: string;
  finish_sql: string;
  exchange_sql: string;
  warnings: string;
}

/** What is staged in a form that this version does not know has a fingerprint like no other. */
function toLedgerRow(row: RawRow): LedgerRow {
  const { epoch, state } = row;
  const outcome = row.outcome === null ? undefined : (JSON.parse(row.outcome) as SyncJobResult);
  if (row.format !== LEDGER_FORMAT) {
    const sql = { lateSql: '', finishSql: '', exchangeSql: '' };
    return { epoch, state, outcome, fingerprint: '', snapshotId: '', plan: '', ...sql, warnings: [] };
  }
  return {
    epoch,
    state,
    outcome,
    fingerprint: row.fingerprint,
    snapshotId: row.snapshot_id,
    plan: row.plan,
    lateSql: row.late_sql,
    finishSql: row.finish_sql,
    exchangeSql: row.exchange_sql,
    warnings: JSON.parse(row.warnings) as SyncWarning[],
  };
}
