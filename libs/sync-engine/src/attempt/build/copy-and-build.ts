import { withoutWorkers } from '../attempt-sessions.js';
import { buildAndRead } from './build-and-read.js';
import { buildKeys } from './build-keys.js';
import { copyTables } from '../copy-tables.js';
import type { CopiedJob, JobDatabases, PreparedJob, RunningJob } from '../running-job.js';
import type { LedgerChunk } from '../../stage/ledger/staging-ledger.js';
import { copiedRows } from '../../plan/subset/relation-sql.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { releasingLocks, runInParallel } from '@understudy/postgres';
import type { LocatedClient } from '../../session/located-client.js';
import { runTasks } from '../../session/job-sessions.js';
import { withAllPartitions } from '../../verify/all-partitions.js';
import { JoinComparison } from '../../verify/joins/join-comparison.js';
import { readJoinedKeys } from '../../verify/joins/joined-keys.js';
import { RowComparison, type RowsToVerify } from '../../verify/row-comparison.js';

/**
 * Copies the rows. At the same time, it reads the source's rows a second time, to compare them with the
 * staged rows. After the copy, it builds the indexes of the staged tables and reads the staged rows.
 */
export async function copyAndBuild(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
): Promise<CopiedJob> {
  const { contexts, environment, signal } = job;
  const { held } = databases.snapshot;
  const sourceRows = await planSourceRows(prepared, databases);
  const joins = await planJoins(job, prepared, databases, sourceRows);
  const comparison = await planComparison(prepared, databases, { sourceRows, given: joins.children });
  const readSource = (either: AbortSignal) =>
    runTasks({
      tasks: [
        ...comparison.reads('source').flatMap(({ read }) => read ?? []),
        ...joins.reads('source').map(({ child, read }) => async (client: LocatedClient) => {
          comparison.take('source', child, await read(client));
        }),
      ],
      connections: CONNECTIONS_DURING_COPY,
      open: async () => contexts.locate(await withoutWorkers(databases.open.source())),
      run: (client, read) => releasingLocks(client, () => read(client)),
      signal: either,
    });
  let ledger: readonly LedgerChunk[] = [];
  const copyRows = async (either: AbortSignal) => {
    ledger = await copyTables(job, prepared, databases, either);
  };
  const build = async (either: AbortSignal) => {
    await buildAndRead(job, prepared, databases, { comparison, joins }, either);
    await buildKeys(job, prepared, databases, either);
  };
  if (databases.room.isTight) {
    await copyRows(signal);
    await runInParallel(signal, [build, readSource]);
  } else {
    await runInParallel(signal, [(either) => copyRows(either).then(() => build(either)), readSource]);
  }
  signal.throwIfAborted();
  await held.confirm();
  await environment.reached('indexes_built');
  return { ...prepared, ledger, sourceRows, comparison, joins };
}

/**
 * The number of sessions that read the source for the comparison while rows are copied. One session is
 * enough, because reading takes much less time than copying.
 */
const CONNECTIONS_DURING_COPY = 1;

async function planSourceRows(
  { plans }: PreparedJob,
  { source }: JobDatabases,
): Promise<CopiedJob['sourceRows']> {
  const complete = await withAllPartitions(plans, source.client);
  return (plan) => copiedRows(complete(plan));
}

function planComparison(
  { plans, masks, staged }: PreparedJob,
  { source, target, room }: JobDatabases,
  more: Pick<RowsToVerify, 'sourceRows' | 'given'>,
): Promise<RowComparison> {
  const into = new Map(staged.tables.map((table) => [table.tableIndex, table.into]));
  const request = {
    plans,
    masks,
    stagedAs: ({ index, name }: TablePlan) => into.get(index) ?? name,
    connections: room.connections,
    ...more,
  };
  return RowComparison.plan(request, source.client, target.client);
}

/**
 * Plans the comparison of joins. Values that are staged as text have the equality of their types only in the real
 * tables, so the keys of such tables are compared in the switch.
 */
async function planJoins(
  { environment }: RunningJob,
  { plans, staged }: PreparedJob,
  { source, target }: JobDatabases,
  sourceRows: CopiedJob['sourceRows'],
): Promise<JoinComparison> {
  const keys = await readJoinedKeys(plans, source.client, target.client);
  const tables = new Map(staged.tables.map((table) => [table.tableIndex, table]));
  const isText = ({ index }: TablePlan) => tables.get(index)?.kind === 'text';
  const request = {
    keys: keys.filter(({ child, parent }) => !isText(child) && !isText(parent)),
    newRows: (plan: TablePlan) => ({
      name: tables.get(plan.index)?.into ?? plan.name,
      isPartitioned: plan.source.isPartitioned && plan.target === undefined,
    }),
    sourceRows,
    log: environment.log,
  };
  return JoinComparison.plan(request, source.client, target.client);
}
