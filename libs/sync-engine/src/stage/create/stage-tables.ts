import { type Client, type EngineLog, quoteIdentifier, quoteLiteral, quoteTable } from '@understudy/postgres';
import { guard, type FailureContext } from '../../session/guard.js';
import type { SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { TableDefinitions } from './define-tables.js';
import type { TableSwap } from '../swap/swap-dump.js';
import { bareHeaps } from './tables-without-indexes.js';
import { createLedger, fence } from '../ledger/ledger-tables.sql.js';
import { sealLedger } from '../ledger/ledger-seal.js';
import { type MovedObjects, moveOutOfSight } from '../switch/move-objects.js';
import { rememberObjects } from '../switch/object-catalog.sql.js';
import { closeToOthers } from '../own-staging.js';
import { type StagedSwap, stageSwap } from '../swap/stage-swap.js';
import { isTableItself, type StagedTable } from '../ledger/staging-ledger.js';
import { stagingSchema, stagingTable } from '../staging-names.js';
import { type JobAttempt } from '../../session/job-attempt.js';

export interface StagingRequest {
  readonly attempt: JobAttempt;
  readonly plans: readonly TablePlan[];
  readonly definitions: TableDefinitions;
  /** Existing tables that need not be rewritten. */
  readonly swap: TableSwap | undefined;
  readonly fingerprint: string;
  readonly maskingKey: Uint8Array;
  readonly snapshotId: string;
  /** The job's chunks, in a form the ledger keeps. */
  readonly plan: string;
  readonly warnings: readonly SyncWarning[];
  readonly context: FailureContext;
  /** How long others may queue behind the transaction while it waits for a table. */
  readonly lockTryMs: number;
  readonly log: EngineLog;
}

export interface Staging {
  readonly tables: readonly StagedTable[];
  /** Makes the tables that wait as text, when everything else is in its real place. */
  readonly lateSql: string;
  /** To be run when everything is in its real place. */
  readonly finishSql: string;
  /** The same for tables that are swapped, unless they are rewritten after all. */
  readonly swapSql: string;
}

/**
 * Makes the ledger and a heap for each table, in one transaction. Missing tables are created under their real names and moved out of
 * sight before it ends, as are those that are to be swapped; any other existing one gets an unlogged twin with its NOT NULL and CHECK
 * constraints, so that a row the table would refuse is refused at once. A table that cannot be made unseen waits as text.
 * @throws SyncJobError lock_timeout among others; then nothing of it is left
 */
export async function stageTables(client: Client, request: StagingRequest): Promise<Staging> {
  const { attempt, plans, definitions, context } = request;
  const { jobId, epoch } = attempt;
  // What others create meanwhile is not seen: all that is new is ours.
  await guard(context, () =>
    client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = ${request.lockTryMs}; ${createLedger(jobId)}`,
    ),
  );
  try {
    const swapped = await swap(client, request);
    const moved = await create(client, request, swapped);
    const staged = plans.map((plan) => place(plan, request, moved.shadows, swapped));
    await guard(context, () => bareHeaps(client, jobId, staged, [...moved.shadows.values()]));
    const beside = staged.flatMap(({ tableIndex, into, kind }) => {
      const plan = plans.find(({ index }) => index === tableIndex);
      if (isTableItself(kind) || plan === undefined) return [];
      return [{ tableIndex, sql: kind === 'twin' ? twinOf(plan, into) : textTable(plan, into) }];
    });
    for (const { tableIndex, sql } of beside) {
      await guard({ ...context, tableIndex }, () => client.query(sql));
    }
    const { lateSql } = definitions;
    const finishSql = `${moved.linkSql}\n${definitions.finishSql}`;
    const swapSql = swapped?.finishSql ?? '';
    const { fingerprint, maskingKey, plan, snapshotId } = request;
    const warnings = JSON.stringify(request.warnings);
    const seal = sealLedger(maskingKey, jobId, {
      ...{ state: 'staging', fingerprint, plan, lateSql, finishSql, swapSql, warnings },
    });
    const texts = [fingerprint, snapshotId, plan, lateSql, finishSql, swapSql, warnings, seal];
    const values = texts.map(quoteLiteral);
    await guard(context, () => closeToOthers(client, [stagingSchema(jobId), ...moved.made]));
    await guard(context, () =>
      client.query(`${noteStaged(jobId, staged)};
        INSERT INTO ${stagingTable(jobId, 'job')}
               (job_id, epoch, state, fingerprint, snapshot_id, plan, late_sql, finish_sql, swap_sql, warnings, seal)
        VALUES (${quoteLiteral(jobId)}, ${epoch}, 'staging', ${values.join(', ')});
        ${fence(jobId, epoch)}; COMMIT`),
    );
    return { tables: staged, lateSql, finishSql, swapSql };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function swap(
  client: Client,
  { attempt: { jobId }, swap: wanted, context, lockTryMs, log }: StagingRequest,
): Promise<StagedSwap | undefined> {
  if (wanted === undefined) return Promise.resolve(undefined);
  return guard(context, () => stageSwap(client, { jobId, swap: wanted, lockTryMs, log }));
}

async function create(
  client: Client,
  { attempt: { jobId }, definitions, context }: StagingRequest,
  swapped: StagedSwap | undefined,
): Promise<MovedObjects> {
  const { createSql } = definitions;
  if (createSql === '' && swapped === undefined) return { shadows: new Map(), made: [], linkSql: '' };
  if (swapped === undefined) await guard(context, () => client.query(rememberObjects(jobId)));
  const creating = { ...context, otherwise: 'create_failed' } as const;
  if (createSql !== '') await guard(creating, () => client.query(createSql));
  const moved = await guard(creating, () => moveOutOfSight(client, jobId));
  const back = swapped === undefined ? '' : `${swapped.backSql}; `;
  await guard(context, () => client.query(`${back}DROP TABLE ${stagingTable(jobId, 'known')}`));
  return moved;
}

function place(
  { index, name, target }: TablePlan,
  { attempt: { jobId }, plans, definitions: { late } }: StagingRequest,
  shadows: ReadonlyMap<string, string>,
  swapped: StagedSwap | undefined,
): StagedTable {
  const beside = { schema: stagingSchema(jobId), table: `rows_${index}` };
  const facts = swapped?.facts.get(index);
  if (target !== undefined && facts === undefined) return { tableIndex: index, into: beside, kind: 'twin' };
  if (plans.some((plan) => plan.index === index && late.has(plan))) {
    return { tableIndex: index, into: beside, kind: 'text' };
  }
  const schema = shadows.get(name.schema);
  if (schema === undefined) throw new Error('a table that was to be made is not there');
  const staged = { tableIndex: index, into: { schema, table: name.table } };
  return facts === undefined ? { ...staged, kind: 'moved' } : { ...staged, kind: 'swapped', facts };
}

/** COPY's text form of any value is a text. */
function textTable({ columns }: TablePlan, into: StagedTable['into']): string {
  const list = columns.map(({ description }) => `${quoteIdentifier(description.name)} text`);
  return `CREATE UNLOGGED TABLE ${quoteTable(into)} (${list.join(', ')})`;
}

function twinOf({ name }: TablePlan, into: StagedTable['into']): string {
  const like = ['CONSTRAINTS', 'GENERATED', 'STORAGE', 'COMPRESSION'].map((what) => `INCLUDING ${what}`);
  return `CREATE UNLOGGED TABLE ${quoteTable(into)} (LIKE ${quoteTable(name)} ${like.join(' ')})`;
}

function noteStaged(jobId: string, staged: readonly StagedTable[]): string {
  const rows = staged.map(
    ({ tableIndex, into, kind, facts }) =>
      `(${tableIndex}, ${quoteLiteral(into.schema)}, ${quoteLiteral(into.table)}, '${kind}', ${facts === undefined ? 'NULL' : quoteLiteral(facts)})`,
  );
  return `INSERT INTO ${stagingTable(jobId, 'staged')} VALUES ${rows.join(', ')}`;
}
