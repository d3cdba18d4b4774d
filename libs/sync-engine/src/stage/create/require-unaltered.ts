import { type Client, releasingLocks, sqlName } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { guard } from '../../session/guard.js';
import type { StagedTable } from '../ledger/staging-ledger.js';
import type { DefinitionContext } from './run-definition.js';
import { HAS_EVENT_TRIGGERS, TABLE_SHAPES, TABLES_WITH_EXTRAS } from './table-shapes.sql.js';

/**
 * Compares the tables that the job has created with those of the source, if the target has event triggers. An event
 * trigger can change a table while the job creates it. Call it while the tables have their real names.
 * @param stage `created` before indexes, triggers and policies exist, and `complete` after that
 * @throws SyncJobError table_altered
 */
export async function requireUnaltered(
  client: Client,
  { plans, source, context }: DefinitionContext,
  stage: 'created' | 'complete',
): Promise<void> {
  const missing = plans.filter(({ target }) => target === undefined);
  if (missing.length === 0 || !(await hasEventTriggers(client))) return;
  const tables = missing.flatMap(({ name, source: { partitions } }) => [name, ...partitions]);
  const omitted = missing.flatMap((plan) => (plan.omitted ?? []).map(({ object }) => object.address));
  const isComplete = stage === 'complete';
  const expected = await guard({ side: 'source' }, () =>
    releasingLocks(source, () => shapesOf(source, tables, omitted, isComplete)),
  );
  // Parts that the job did not create count on the target in any case.
  const found = await guard(context, () => shapesOf(client, tables, [], true));
  const altered = tables.filter((_, i) => expected.get(i) !== found.get(i));
  requireNone(altered, missing);
}

/**
 * Checks the tables to which the job will write rows, if the target has event triggers. They must have nothing that
 * could hide the rows, or pass them on.
 * @throws SyncJobError table_altered
 */
export async function requireNoExtras(
  client: Client,
  schemas: readonly string[],
  staged: readonly StagedTable[],
  plans: readonly TablePlan[],
): Promise<void> {
  if (!(await hasEventTriggers(client))) return;
  const { rows } = await client.query<TableName>(TABLES_WITH_EXTRAS, [schemas]);
  const found = rows.map(({ schema, table }) => {
    const of = staged.find(({ into }) => into.schema === schema && into.table === table);
    return plans.find(({ index }) => index === of?.tableIndex)?.name ?? { schema, table };
  });
  requireNone(found, plans);
}

async function hasEventTriggers(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ has_event_triggers: boolean }>(`SELECT ${HAS_EVENT_TRIGGERS}`);
  return rows[0]?.has_event_triggers === true;
}

/** @returns the shape of each table that exists, by its position in the list */
async function shapesOf(
  client: Client,
  tables: readonly TableName[],
  omitted: readonly string[],
  isComplete: boolean,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ n: number; shape: string }>(TABLE_SHAPES, [
    tables.map(({ schema }) => schema),
    tables.map(({ table }) => table),
    omitted,
    isComplete,
  ]);
  return new Map(rows.map(({ n, shape }) => [n - 1, shape]));
}

/** @throws SyncJobError table_altered if the list is not empty */
function requireNone(tables: readonly TableName[], plans: readonly TablePlan[]): void {
  const problems = new ProblemList();
  for (const { schema, table } of tables) {
    const plan = plans.find(({ name }) => name.schema === schema && name.table === table);
    const names = { schema: sqlName(schema), name: sqlName(table) };
    const location = plan ? { tableIndex: plan.index } : { object: { kind: 'relation' as const, ...names } };
    const cause = new Error(`not as the job created it: ${schema}.${table}`);
    problems.add({ code: 'table_altered', side: 'target', ...location }, cause);
  }
  problems.throwIfAny();
}
