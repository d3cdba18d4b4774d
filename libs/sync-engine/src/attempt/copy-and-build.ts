import { guard } from '../session/guard.js';
import { openSource, openTarget, withoutWorkers } from './attempt-sessions.js';
import { buildAndRead } from './build-and-read.js';
import { copyTables } from './copy-tables.js';
import type { CopiedJob, JobDatabases, PreparedJob, RunningJob } from './running-job.js';
import type { LedgerChunk } from '../stage/ledger/staging-ledger.js';
import { copiedRows } from '../plan/subset/relation-sql.js';
import type { TablePlan } from '../plan/table-plan.js';
import { type Client, releasingLocks, runInParallel } from '@understudy/postgres';
import { runTasks } from '../session/job-sessions.js';
import { withAllPartitions } from '../verify/all-partitions.js';
import { JoinComparison } from '../verify/joins/join-comparison.js';
import { readJoinedKeys } from '../verify/joins/joined-keys.js';
import { RowComparison, type RowsToVerify } from '../verify/row-comparison.js';

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
  const sourceRows = await planSourceRows(job, prepared, databases);
  const joins = await planJoins(job, prepared, databases, sourceRows);
  const comparison = await planComparison(job, prepared, databases, { sourceRows, given: joins.children });
  const readSource = (either: AbortSignal) =>
    runTasks({
      tasks: [
        ...comparison.reads('source').flatMap(({ read }) => read ?? []),
        ...joins.reads('source').map(({ child, read }) => async (client: Client) => {
          comparison.take('source', child, await read(client));
        }),
      ],
      connections: CONNECTIONS_DURING_COPY,
      open: () => withoutWorkers(openSource(job, databases)),
      run: (client, read) => releasingLocks(client, () => read(client)),
      signal: either,
    });
  let ledger: readonly LedgerChunk[] = [];
  const copyRows = async (either: AbortSignal) => {
    ledger = await copy(job, prepared, databases, either);
  };
  const build = (either: AbortSignal) =>
    buildAndRead(job, prepared, databases, { comparison, joins }, either);
  if (databases.room.isTight) {
    await copyRows(signal);
    await runInParallel(signal, [build, readSource]);
  } else {
    await runInParallel(signal, [(either) => copyRows(either).then(() => build(either)), readSource]);
  }
  signal.throwIfAborted();
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('indexes_built');
  return { ...prepared, ledger, sourceRows, comparison, joins };
}

/**
 * The number of sessions that read the source for the comparison while rows are copied. One session is
 * enough, because reading takes much less time than copying.
 */
const CONNECTIONS_DURING_COPY = 1;

async function planSourceRows(
  { contexts }: RunningJob,
  { plans }: PreparedJob,
  { snapshot }: JobDatabases,
): Promise<CopiedJob['sourceRows']> {
  const complete = await guard(contexts.on('source'), () => withAllPartitions(plans, snapshot.client));
  return (plan) => copiedRows(complete(plan));
}

function planComparison(
  { contexts }: RunningJob,
  { plans, masks, staged }: PreparedJob,
  { target, snapshot, room }: JobDatabases,
  more: Pick<RowsToVerify, 'sourceRows' | 'given'>,
): Promise<RowComparison> {
  const into = new Map(staged.tables.map((table) => [table.tableIndex, table.into]));
  const request = {
    plans,
    masks,
    stagedAs: ({ index, name }: TablePlan) => into.get(index) ?? name,
    connections: room.connections,
    contextOf: contexts.on.bind(contexts),
    ...more,
  };
  return RowComparison.plan(request, snapshot.client, target.client);
}

/**
 * Plans the comparison of joins. Values that are staged as text have the equality of their types only in the real
 * tables, so the keys of such tables are compared in the switch.
 */
async function planJoins(
  { contexts, environment }: RunningJob,
  { plans, staged }: PreparedJob,
  { target, snapshot }: JobDatabases,
  sourceRows: CopiedJob['sourceRows'],
): Promise<JoinComparison> {
  const contextOf = contexts.on.bind(contexts);
  const keys = await readJoinedKeys(plans, snapshot.client, target.client, contextOf);
  const tables = new Map(staged.tables.map((table) => [table.tableIndex, table]));
  const isText = ({ index }: TablePlan) => tables.get(index)?.kind === 'text';
  const request = {
    keys: keys.filter(({ child, parent }) => !isText(child) && !isText(parent)),
    newRows: (plan: TablePlan) => ({
      name: tables.get(plan.index)?.into ?? plan.name,
      isPartitioned: plan.source.isPartitioned && plan.target === undefined,
    }),
    sourceRows,
    contextOf,
    log: environment.log,
  };
  return JoinComparison.plan(request, snapshot.client, target.client);
}

async function copy(
  job: RunningJob,
  { plans, masks, staged, threadRules, paths }: PreparedJob,
  databases: JobDatabases,
  signal: AbortSignal,
): Promise<readonly LedgerChunk[]> {
  const { command, contexts, environment, material, meter } = job;
  const { held } = databases.snapshot;
  const ledger = await copyTables({
    attempt: command,
    environment,
    plans,
    masks,
    job: material,
    staged,
    threadRules,
    paths,
    connections: databases.room.connections,
    openSource: () => openSource(job, databases),
    openTarget: () => openTarget(job, databases),
    // The builds that follow take them.
    keepTarget: (session) => job.sessions.keep(session),
    meter,
    contexts,
    signal: AbortSignal.any([signal, held.lost]),
  });
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('all_chunks_committed');
  return ledger;
}
