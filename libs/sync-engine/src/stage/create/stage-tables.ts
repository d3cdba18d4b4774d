import {
  type EngineLog,
  quoteIdentifier,
  quoteLiteral,
  quoteTable,
  readMajorVersion,
} from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import { SyncJobError, type SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import {
  type ExistingTables,
  requireNoExtras,
  requireOwnColumns,
  requireUnaltered,
  requireUnchanged,
} from './require-unaltered.js';
import { runDefinition } from './run-definition.js';
import type { TableDefinitions } from './define-tables.js';
import type { TableSwap } from '../swap/swap-dump.js';
import { recordKeys } from '../foreign-keys/staged-key.js';
import { removeIndexes } from './tables-without-indexes.js';
import { createLedger, fence } from '../ledger/ledger-tables.sql.js';
import { sealLedger } from '../ledger/ledger-seal.js';
import { type MovedObjects, hideNewObjects } from '../switch/move-objects.js';
import { ownSettings } from '../switch/own-settings.js';
import { recordKnownObjects } from '../switch/object-catalog.sql.js';
import { closeToOthers, hasStaging, takeOwnership } from '../own-staging.js';
import { type StagedSwap, stageSwap } from '../swap/stage-swap.js';
import { isTableItself, type StagedTable } from '../ledger/staging-ledger.js';
import { stagingSchema, stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';

export interface StagingRequest {
  readonly attempt: JobAttempt;
  readonly plans: readonly TablePlan[];
  readonly definitions: TableDefinitions;
  /** A client of the database that the definitions come from. */
  readonly source: LocatedClient;
  /** The existing tables that are swapped and not rewritten; undefined if there are none. */
  readonly swap: TableSwap | undefined;
  readonly fingerprint: string;
  readonly maskingKey: Uint8Array;
  readonly snapshotId: string;
  /** The job's chunks as JSON, for the ledger. */
  readonly plan: string;
  readonly warnings: readonly SyncWarning[];
  /** The existing tables before the job; undefined if the target has no event trigger. */
  readonly existing: ExistingTables | undefined;
  /**
   * How long the transaction may wait for the lock of a table, in milliseconds. During the wait, a session
   * that needs the table waits behind the transaction.
   */
  readonly lockTryMs: number;
  readonly log: EngineLog;
}

export interface Staging {
  readonly tables: readonly StagedTable[];
  /**
   * SQL that creates the tables whose rows are staged as text. Run it in the switch, after all other objects have
   * moved to their real schemas.
   */
  readonly deferredSql: string;
  /**
   * SQL that creates indexes, triggers and other post-data objects, but no foreign keys. Run it in the switch, after all
   * objects have moved to their real schemas.
   */
  readonly postDataSql: string;
  /** The post-data SQL of swapped tables. Do not run it if the switch rewrites these tables instead of swapping them. */
  readonly swapSql: string;
}

/**
 * Creates the ledger and a staged table for each table of the job, in one transaction. Creates missing tables and
 * replacement tables under their real names, and moves them to hidden schemas before the transaction ends. For any
 * other existing table, creates an unlogged table with the same NOT NULL and CHECK constraints, so that the server
 * rejects invalid rows during the copy. For a table that only the switch can create, creates an unlogged table with
 * text columns.
 * @throws SyncJobError, such as lock_timeout or staging_untrusted. The transaction is then rolled back.
 */
export async function stageTables(client: LocatedClient, request: StagingRequest): Promise<Staging> {
  try {
    const staging = await stageUncommitted(client, request);
    await client.query('COMMIT');
    return staging;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // Another role may have created a schema of this name since the check.
    if (error instanceof SyncJobError && error.failure.sqlstate === DUPLICATE_SCHEMA)
      await hasStaging(client, stagingSchema(request.attempt.jobId));
    if (hasWaitedForName(error))
      throw new SyncJobError({ code: 'staging_untrusted', side: 'target' }, { cause: error });
    throw error;
  }
}

const DUPLICATE_SCHEMA = '42P06';

/**
 * Tests whether the name of a schema belongs to a transaction that has not ended. Any role with CREATE on the database can
 * run one for any time, so a job does not wait for its end.
 */
function hasWaitedForName(error: unknown): boolean {
  const { where } = ((error as Error).cause ?? {}) as { readonly where?: unknown };
  return String(where).includes('pg_namespace_nspname_index');
}

/** Does the same as {@link stageTables} in a transaction that the caller ends, also after an error. */
export async function stageUncommitted(client: LocatedClient, request: StagingRequest): Promise<Staging> {
  const { attempt, plans, definitions } = request;
  const { jobId, epoch } = attempt;
  // In REPEATABLE READ, the transaction does not see objects that others create at the same time. Each new
  // object that it sees is the job's own.
  await client.query(
    `BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = ${request.lockTryMs}; ${createLedger(jobId)}`,
  );
  const swapped = await swap(client, request);
  const moved = await create(client, request, swapped);
  const staged = plans.map((plan) => stagedTableOf(plan, request, moved.hiddenSchemas, swapped));
  await removeIndexes(client, jobId, staged, [...moved.hiddenSchemas.values()]);
  const stagingCopies = staged.flatMap(({ tableIndex, into, kind }) => {
    const plan = plans.find(({ index }) => index === tableIndex);
    if (isTableItself(kind) || plan === undefined) return [];
    return [
      { tableIndex, sql: kind === 'staging_copy' ? stagingCopySql(plan, into) : textTableSql(plan, into) },
    ];
  });
  for (const { tableIndex, sql } of stagingCopies) {
    await client.at(tableIndex).query(sql);
  }
  const majorVersion = await readMajorVersion(client);
  const keys = [...definitions.keys, ...(swapped?.keys ?? [])];
  const { hiddenSchemas } = moved;
  const { deferredSql } = definitions;
  const postDataSql = `${moved.linkSql}\n${definitions.postDataSql}`;
  const swapSql = swapped?.postDataSql ?? '';
  const { fingerprint, maskingKey, plan, snapshotId } = request;
  const warnings = JSON.stringify(request.warnings);
  const seal = sealLedger(maskingKey, jobId, {
    ...{ state: 'staging', fingerprint, plan, deferredSql, postDataSql, swapSql, warnings },
  });
  const texts = [fingerprint, snapshotId, plan, deferredSql, postDataSql, swapSql, warnings, seal];
  const values = texts.map(quoteLiteral);
  await takeOwnership(client, stagingSchema(jobId));
  await closeToOthers(client, [stagingSchema(jobId), ...moved.made]);
  const { existing } = request;
  if (existing !== undefined) {
    const schemas = [stagingSchema(jobId), ...moved.hiddenSchemas.values()];
    await ownSettings(client, request.lockTryMs);
    await requireNoExtras(client, schemas, staged, plans);
    await requireOwnColumns(client, staged, plans);
    await requireUnchanged(client, existing);
    await hasStaging(client, stagingSchema(jobId));
  }
  await client.query(`${recordStaged(jobId, staged)};
        INSERT INTO ${stagingTable(jobId, 'job')}
               (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, seal)
        VALUES (${quoteLiteral(jobId)}, ${epoch}, 'staging', ${values.join(', ')});
        ${recordKeys(jobId, { keys, staged, hiddenSchemas, majorVersion })}
        ${fence(jobId, epoch)}`);
  return { tables: staged, deferredSql, postDataSql, swapSql };
}

function swap(
  client: LocatedClient,
  { attempt: { jobId }, swap: tableSwap, lockTryMs, log }: StagingRequest,
): Promise<StagedSwap | undefined> {
  if (tableSwap === undefined) return Promise.resolve(undefined);
  return stageSwap(client, { jobId, swap: tableSwap, lockTryMs, log });
}

async function create(
  client: LocatedClient,
  { attempt: { jobId }, plans, definitions, source, existing, lockTryMs }: StagingRequest,
  swapped: StagedSwap | undefined,
): Promise<MovedObjects> {
  const { createSql, laterCodeSql } = definitions;
  if (createSql === '' && laterCodeSql === '' && swapped === undefined)
    return { hiddenSchemas: new Map(), made: [], linkSql: '' };
  if (swapped === undefined) await client.query(recordKnownObjects(jobId));
  if (createSql !== '') {
    await runDefinition(client, createSql, { source, plans });
    const created = plans.filter((plan) => !definitions.deferred.has(plan.index));
    if (existing !== undefined) {
      await ownSettings(client, lockTryMs);
      await requireUnaltered(client, { source, plans, created }, 'created');
    }
  }
  if (laterCodeSql !== '') {
    // The switch would refuse it, too, but only after the copy.
    await client.query('SAVEPOINT later');
    await runDefinition(client, laterCodeSql, { source, plans });
    await client.query('ROLLBACK TO SAVEPOINT later; RELEASE SAVEPOINT later');
  }
  const moved = await hideNewObjects(client.with({ otherwise: 'create_failed' }), jobId);
  const back = swapped === undefined ? '' : `${swapped.backSql}; `;
  await client.query(`${back}DROP TABLE ${stagingTable(jobId, 'known')}`);
  return moved;
}

function stagedTableOf(
  { index, name, target }: TablePlan,
  { attempt: { jobId }, definitions: { deferred } }: StagingRequest,
  hiddenSchemas: ReadonlyMap<string, string>,
  swapped: StagedSwap | undefined,
): StagedTable {
  const into = { schema: stagingSchema(jobId), table: `rows_${index}` };
  const facts = swapped?.facts.get(index);
  if (target !== undefined && facts === undefined) return { tableIndex: index, into, kind: 'staging_copy' };
  if (deferred.has(index)) return { tableIndex: index, into, kind: 'text' };
  const schema = hiddenSchemas.get(name.schema);
  if (schema === undefined) throw new Error('a table was not created: it has no hidden schema');
  const staged = { tableIndex: index, into: { schema, table: name.table } };
  return facts === undefined ? { ...staged, kind: 'moved' } : { ...staged, kind: 'swapped', facts };
}

/** Returns SQL that creates a table in which every column has the type text, for values in COPY's text format. */
function textTableSql({ columns }: TablePlan, into: StagedTable['into']): string {
  const list = columns.map(({ description }) => `${quoteIdentifier(description.name)} text`);
  return `CREATE UNLOGGED TABLE ${quoteTable(into)} (${list.join(', ')})`;
}

function stagingCopySql({ name }: TablePlan, into: StagedTable['into']): string {
  const like = ['CONSTRAINTS', 'GENERATED', 'STORAGE', 'COMPRESSION'].map((what) => `INCLUDING ${what}`);
  return `CREATE UNLOGGED TABLE ${quoteTable(into)} (LIKE ${quoteTable(name)} ${like.join(' ')})`;
}

function recordStaged(jobId: string, staged: readonly StagedTable[]): string {
  const rows = staged.map(
    ({ tableIndex, into, kind, facts }) =>
      `(${tableIndex}, ${quoteLiteral(into.schema)}, ${quoteLiteral(into.table)}, '${kind}', ${facts === undefined ? 'NULL' : quoteLiteral(facts)})`,
  );
  return `INSERT INTO ${stagingTable(jobId, 'staged')} VALUES ${rows.join(', ')}`;
}
