import type { Client } from '../../postgres/session.js';
import { guard } from '../../postgres/guard.js';
import { quoteLiteral, quoteTable } from '../../postgres/quote.js';
import type { FailureContext } from '../../postgres/server-failure.js';
import type { SyncWarning } from '../job-reporter.js';
import type { TablePlan } from '../table-plan.js';
import type { TableDefinitions } from '../define-tables.js';
import { bareHeaps } from './bare-heaps.js';
import { createLedger, fence } from './ledger-tables.sql.js';
import { moveOutOfSight } from './move-objects.js';
import { rememberObjects } from './object-catalog.sql.js';
import type { StagedTable } from './staging-ledger.js';
import { type JobAttempt, stagingSchema, stagingTable } from './staging-names.js';

export interface StagingRequest {
  readonly attempt: JobAttempt;
  readonly plans: readonly TablePlan[];
  readonly definitions: TableDefinitions;
  readonly fingerprint: string;
  readonly snapshotId: string;
  /** The job's chunks, in a form the ledger keeps. */
  readonly plan: string;
  readonly warnings: readonly SyncWarning[];
  readonly context: FailureContext;
}

export interface Staging {
  readonly tables: readonly StagedTable[];
  /** To be run when everything is in its real place. */
  readonly finishSql: string;
}

/**
 * Makes the ledger and a heap for each table, in one transaction. Missing tables are created under their real names and moved out of
 * sight before it ends; an existing one gets an unlogged twin with its NOT NULL and CHECK constraints, so that a row the table would
 * refuse is refused at once.
 */
export async function stageTables(client: Client, request: StagingRequest): Promise<Staging> {
  const { attempt, plans, definitions, context } = request;
  const { jobId, epoch } = attempt;
  // What others create meanwhile is not seen: all that is new is ours.
  await guard(context, () => client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${createLedger(jobId)}`));
  try {
    const created = plans.filter(({ target }) => target === undefined);
    const moved = await create(client, request, created.length > 0);
    const staged = plans.map((plan): StagedTable => {
      const schema = plan.target === undefined ? moved.shadows.get(plan.name.schema) : undefined;
      const into =
        schema === undefined
          ? { schema: stagingSchema(jobId), table: `rows_${plan.index}` }
          : { schema, table: plan.name.table };
      return { tableIndex: plan.index, into, unlogged: plan.target !== undefined };
    });
    await guard(context, () => bareHeaps(client, jobId, staged, [...moved.shadows.values()]));
    for (const { tableIndex, into, unlogged } of staged) {
      const plan = plans[tableIndex];
      if (!unlogged || plan === undefined) continue;
      await guard({ ...context, tableIndex }, () => client.query(twinOf(plan, into)));
    }
    const finishSql = `${moved.linkSql}\n${definitions.finishSql}`;
    await guard(context, () =>
      client.query(`${noteStaged(jobId, staged)};
        INSERT INTO ${stagingTable(jobId, 'job')} (job_id, epoch, state, fingerprint, snapshot_id, plan, finish_sql, warnings)
        VALUES (${[jobId, epoch, 'staging', request.fingerprint, request.snapshotId, request.plan]
          .map((value) => quoteLiteral(String(value)))
          .join(', ')}, ${quoteLiteral(finishSql)}, ${quoteLiteral(JSON.stringify(request.warnings))});
        ${fence(jobId, epoch)}; COMMIT`),
    );
    return { tables: staged, finishSql };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function create(
  client: Client,
  { attempt: { jobId }, definitions, context }: StagingRequest,
  any: boolean,
): Promise<{ shadows: ReadonlyMap<string, string>; linkSql: string }> {
  if (!any) return { shadows: new Map(), linkSql: '' };
  await guard(context, () => client.query(rememberObjects(jobId)));
  await guard({ ...context, otherwise: 'create_failed' }, () => client.query(definitions.createSql));
  const moved = await guard({ ...context, otherwise: 'create_failed' }, () => moveOutOfSight(client, jobId));
  await guard(context, () => client.query(`DROP TABLE ${stagingTable(jobId, 'known')}`));
  return moved;
}

function twinOf({ name }: TablePlan, into: StagedTable['into']): string {
  const like = ['CONSTRAINTS', 'GENERATED', 'STORAGE', 'COMPRESSION'].map((what) => `INCLUDING ${what}`);
  return `CREATE UNLOGGED TABLE ${quoteTable(into)} (LIKE ${quoteTable(name)} ${like.join(' ')})`;
}

function noteStaged(jobId: string, staged: readonly StagedTable[]): string {
  const rows = staged.map(
    ({ tableIndex, into, unlogged }) =>
      `(${tableIndex}, ${quoteLiteral(into.schema)}, ${quoteLiteral(into.table)}, ${unlogged})`,
  );
  return `INSERT INTO ${stagingTable(jobId, 'staged')} VALUES ${rows.join(', ')}`;
}
