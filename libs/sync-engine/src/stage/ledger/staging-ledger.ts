import { type Client, quoteLiteral } from '@understudy/postgres';
import type { TableName, SyncJobResult, SyncWarning } from '@understudy/sync-job';
import { isSealed, type SealedTexts } from './ledger-seal.js';
import { LEDGER_FORMAT } from './ledger-tables.sql.js';
import { hasStaging, inStaging } from '../own-staging.js';
import { stagingSchema, stagingTable } from '../staging-names.js';

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
  readonly swapSql: string;
  readonly warnings: readonly SyncWarning[];
  /** What was committed, once it was. */
  readonly outcome: SyncJobResult | undefined;
}

/** Where a table's rows wait. */
export interface StagedTable {
  readonly tableIndex: number;
  readonly into: TableName;
  readonly kind: StagedKind;
  /** Of a swapped one: what its definition says, and that of the table which it is to stand in for. */
  readonly facts?: string;
}

/**
 * `moved`: the table itself, out of sight · `swapped`: another table of an existing one's definition, out of sight · `twin`: an unlogged table like an existing one · `text`: an unlogged table whose columns
 * are all text, for a table that cannot be made before the switch
 */
export type StagedKind = 'moved' | 'swapped' | 'twin' | 'text';

/** A table that will be seen as it is, and is as durable as any. */
export function isTableItself(kind: StagedKind): boolean {
  return kind === 'moved' || kind === 'swapped';
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

/**
 * @returns undefined when the target has no staging of the job
 * @throws SyncJobError staging_untrusted
 */
export async function readLedgerRow(
  client: Client,
  jobId: string,
  maskingKey: Uint8Array,
): Promise<LedgerRow | undefined> {
  const row = await readRow(client, jobId);
  return row && toLedgerRow(jobId, row, maskingKey);
}

/** The same of the row's epoch only. */
export async function readEpoch(client: Client, jobId: string): Promise<number | undefined> {
  return (await readRow(client, jobId))?.epoch;
}

async function readRow(client: Client, jobId: string): Promise<RawRow | undefined> {
  const schema = stagingSchema(jobId);
  if (!(await hasStaging(client, schema))) return undefined;
  // As JSON: another version of the agent may have made it, with other columns.
  const rows = await inStaging(client, schema, {
    mode: 'ACCESS SHARE',
    sql: `SELECT pg_catalog.to_jsonb(j) AS row FROM ${stagingTable(jobId, 'job')} AS j WHERE job_id = ${quoteLiteral(jobId)}`,
  });
  return rows?.[0]?.['row'] as RawRow | undefined;
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
  swap_sql: string;
  warnings: string;
  seal: string;
}

/** What is staged in a form that this version does not know, or without a valid seal, has a fingerprint like no other. */
function toLedgerRow(jobId: string, row: RawRow, maskingKey: Uint8Array): LedgerRow {
  const { epoch, state } = row;
  const texts = row.format === LEDGER_FORMAT ? sealedTexts(row) : undefined;
  if (texts === undefined || !isSealed(maskingKey, jobId, texts, row.seal))
    return { epoch, state, ...UNKNOWN };
  if (texts.state === 'switched') {
    return { epoch, state, ...UNKNOWN, outcome: JSON.parse(texts.outcome) as SyncJobResult };
  }
  const { warnings, ...staged } = texts;
  return {
    epoch,
    ...staged,
    snapshotId: row.snapshot_id,
    outcome: undefined,
    warnings: JSON.parse(warnings) as SyncWarning[],
  };
}

const UNKNOWN = {
  ...{ fingerprint: '', snapshotId: '', plan: '', lateSql: '', finishSql: '', swapSql: '' },
  ...{ warnings: [], outcome: undefined },
};

function sealedTexts(row: RawRow): SealedTexts | undefined {
  const { state, fingerprint, plan, warnings, outcome } = row;
  if (state === 'switched') return outcome === null ? undefined : { state, outcome };
  const sql = { lateSql: row.late_sql, finishSql: row.finish_sql, swapSql: row.swap_sql };
  return { state, fingerprint, plan, ...sql, warnings };
}

/** Rows of a table that the ledger counts. */
export function rowsInLedger(ledger: readonly LedgerChunk[], tableIndex: number): number {
  return ledger.reduce((sum, chunk) => (chunk.tableIndex === tableIndex ? sum + chunk.rows : sum), 0);
}
