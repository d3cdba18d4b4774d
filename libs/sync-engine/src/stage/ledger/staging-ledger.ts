import { type Client, quoteLiteral, readRows } from '@understudy/postgres';
import { SyncJobError, type SyncJobResult, type SyncWarning, type TableName } from '@understudy/sync-job';
import { isSealed, type SealedTexts, sealLedger } from './ledger-seal.js';
import { LEDGER_FORMAT } from './ledger-tables.sql.js';
import type { JobAttempt } from '../../session/job-attempt.js';
import { hasStaging, inStaging } from '../own-staging.js';
import { stagingSchema, stagingTable } from '../staging-names.js';

/** The ledger row of a job on its target. */
export interface LedgerRow {
  readonly epoch: number;
  readonly state: 'staging' | 'switched';
  readonly fingerprint: string;
  readonly snapshotId: string;
  /** The planned chunks, as JSON. */
  readonly plan: string;
  readonly deferredSql: string;
  readonly postDataSql: string;
  readonly swapSql: string;
  readonly warnings: readonly SyncWarning[];
  /** The result of the job; undefined before the switch is committed, or if the seal is not valid. */
  readonly outcome: SyncJobResult | undefined;
}

/** A table of the job, and the table in which its rows are staged. */
export interface StagedTable {
  readonly tableIndex: number;
  readonly into: TableName;
  readonly kind: StagedKind;
  /**
   * The digest of the table's definition, which is the same for the existing table and its replacement. Only for the
   * kind `swapped`.
   */
  readonly facts?: string;
}

/**
 * The form in which a table is staged.
 * - `moved`: a new table in a hidden schema.
 * - `swapped`: the replacement of an existing table, in a hidden schema.
 * - `staging_copy`: an unlogged copy of an existing table's structure.
 * - `text`: an unlogged table with text columns only, for a table that cannot be created before the switch.
 */
export type StagedKind = 'moved' | 'swapped' | 'staging_copy' | 'text';

/** Returns true if the staged table becomes the real table in the switch. Such a table is logged. */
export function isTableItself(kind: StagedKind): boolean {
  return kind === 'moved' || kind === 'swapped';
}

export interface LedgerChunk {
  readonly tableIndex: number;
  readonly number: number;
  readonly rows: number;
  readonly bytes: number;
  /** The columns in which a value was cut to the column's length. */
  readonly truncated: readonly string[];
}

/** The indexes and keys to build on a staged table after its rows are copied, before it is analyzed. */
export interface Build {
  readonly n: number;
  readonly tableIndex: number | undefined;
  /**
   * The SQL of one transaction: first `building`, then `attaching`. Other sessions can read the table until
   * `attaching` begins. Either text can be empty.
   */
  readonly building: string;
  readonly attaching: string;
}

/**
 * Reads the ledger row of a job.
 * @returns undefined if the target has no staging of the job
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

/**
 * Reads only the epoch of the job's ledger row.
 * @returns undefined if the target has no staging of the job
 * @throws SyncJobError staging_untrusted
 */
export async function readEpoch(client: Client, jobId: string): Promise<number | undefined> {
  return (await readRow(client, jobId))?.epoch;
}

/**
 * Records the snapshot that the next attempt must join. Does nothing if a later attempt has claimed the job.
 * @throws SyncJobError staging_untrusted
 */
export async function recordSnapshot(
  client: Client,
  { jobId, epoch }: JobAttempt,
  snapshotId: string,
): Promise<void> {
  await inStaging(client, stagingSchema(jobId), {
    mode: 'ROW EXCLUSIVE',
    sql: `UPDATE ${stagingTable(jobId, 'job')} SET snapshot_id = ${quoteLiteral(snapshotId)} WHERE epoch = ${epoch}`,
  });
}

async function readRow(client: Client, jobId: string): Promise<RawRow | undefined> {
  const schema = stagingSchema(jobId);
  if (!(await hasStaging(client, schema))) return undefined;
  // The row is read as JSON, because another version of the agent may have created the table, with other
  // columns.
  const rows = await inStaging(client, schema, {
    mode: 'ACCESS SHARE',
    sql: `SELECT pg_catalog.to_jsonb(j) AS row FROM ${stagingTable(jobId, 'job')} AS j WHERE job_id = ${quoteLiteral(jobId)}`,
  });
  return rows?.[0]?.['row'] as RawRow | undefined;
}

export async function readStagedTables(client: Client, jobId: string): Promise<readonly StagedTable[]> {
  return readRows<StagedTable>(
    client,
    `SELECT table_index AS "tableIndex", pg_catalog.json_build_object('schema', schema, 'table', name) AS "into", kind, facts
       FROM ${stagingTable(jobId, 'staged')} ORDER BY table_index`,
  );
}

/** Reads the chunks that any attempt has committed. */
export async function readChunks(client: Client, jobId: string): Promise<readonly LedgerChunk[]> {
  const from = (name: string) =>
    `SELECT table_index AS "tableIndex", chunk AS number, rows::float8 AS rows, bytes::float8 AS bytes, truncated::json AS truncated
       FROM ${stagingTable(jobId, name)}`;
  const { rows } = await client.query<LedgerChunk>(
    `${from('chunk_logged')} UNION ALL ${from('chunk_unlogged')} ORDER BY 1, 2`,
  );
  return rows;
}

/**
 * Reads the transactions that have written the job's rows. A chunk's ledger row has the transaction of the chunk's rows.
 * @returns the number of rows by transaction, by table index
 */
export async function readChunkWriters(
  client: Client,
  jobId: string,
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const from = (name: string) =>
    `SELECT table_index AS index, xmin::text AS writer, rows::float8 AS rows FROM ${stagingTable(jobId, name)}`;
  const { rows } = await client.query<{ index: number; writer: string; rows: number }>(
    `${from('chunk_logged')} UNION ALL ${from('chunk_unlogged')}`,
  );
  const writers = new Map<number, Map<string, number>>();
  for (const { index, writer, rows: count } of rows)
    writers.set(index, (writers.get(index) ?? new Map<string, number>()).set(writer, count));
  return writers;
}

/** Reads the index builds that no attempt has finished. */
export async function readBuilds(client: Client, jobId: string): Promise<readonly Build[]> {
  return readRows<Build>(
    client,
    `SELECT n, table_index AS "tableIndex", building, attaching FROM ${stagingTable(jobId, 'build')} WHERE NOT done ORDER BY n`,
  );
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

/**
 * Converts a row. If the row has another format or its seal is not valid, the result has an empty fingerprint, which
 * matches no job.
 */
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
  ...{ fingerprint: '', snapshotId: '', plan: '', deferredSql: '', postDataSql: '', swapSql: '' },
  ...{ warnings: [], outcome: undefined },
};

function sealedTexts(row: RawRow): SealedTexts | undefined {
  const { state, fingerprint, plan, warnings, outcome } = row;
  if (state === 'switched') return outcome === null ? undefined : { state, outcome };
  const sql = { deferredSql: row.late_sql, postDataSql: row.finish_sql, swapSql: row.swap_sql };
  return { state, fingerprint, plan, ...sql, warnings };
}

/**
 * Records the result in the ledger row, as the last statement before COMMIT.
 * @throws SyncJobError lease_lost if a later attempt has claimed the job and changed the epoch of the row
 */
export async function recordOutcome(
  client: Client,
  { attempt, maskingKey }: { readonly attempt: JobAttempt; readonly maskingKey: Uint8Array },
  result: SyncJobResult,
): Promise<void> {
  const outcome = JSON.stringify(result);
  const seal = sealLedger(maskingKey, attempt.jobId, { state: 'switched', outcome });
  const updated = await client.query(
    `UPDATE ${stagingTable(attempt.jobId, 'job')}
        SET state = 'switched', outcome = $2, plan = '', late_sql = '', finish_sql = '', swap_sql = '',
            seal = $3, touched_at = pg_catalog.clock_timestamp()
      WHERE epoch = $1 AND state = 'staging'`,
    [attempt.epoch, outcome, seal],
  );
  if (updated.rowCount !== 1) throw new SyncJobError({ code: 'lease_lost' });
}
