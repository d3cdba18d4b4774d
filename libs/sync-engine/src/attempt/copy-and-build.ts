import { guard } from '../session/guard.js';
import { openSource, openTarget } from './attempt-sessions.js';
import { buildAndRead } from './build-and-read.js';
import { copyTables } from './copy-tables.js';
import type { CopiedJob, JobDatabases, PreparedJob, RunningJob } from './running-job.js';
import type { LedgerChunk } from '../stage/ledger/staging-ledger.js';
import { copiedRows } from '../plan/subset/relation-sql.js';
import type { TablePlan } from '../plan/table-plan.js';
import { runInParallel } from '@understudy/postgres';
import { RowComparison } from '../verify/row-comparison.js';

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
  const comparison = await planComparison(job, prepared, databases);
  let ledger: readonly LedgerChunk[] = [];
  await runInParallel(signal, [
    async (either) => {
      ledger = await copy(job, prepared, databases, either);
      await buildAndRead(job, prepared, databases, comparison, either);
    },
    (either) => comparison.readSource(() => openSource(job, databases), either, CONNECTIONS_DURING_COPY),
  ]);
  signal.throwIfAborted();
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('indexes_built');
  return { ...prepared, ledger, comparison };
}

/**
 * The number of sessions that read the source for the comparison while rows are copied. One session is
 * enough, because reading takes much less time than copying.
 */
const CONNECTIONS_DURING_COPY = 1;

function planComparison(
  { contexts, environment }: RunningJob,
  { plans, masks, staged }: PreparedJob,
  { target, snapshot }: JobDatabases,
): Promise<RowComparison> {
  const into = new Map(staged.tables.map((table) => [table.tableIndex, table.into]));
  const request = {
    plans,
    masks,
    stagedAs: ({ index, name }: TablePlan) => into.get(index) ?? name,
    sourceRows: copiedRows,
    connections: environment.copy.connections,
    contextOf: contexts.on.bind(contexts),
  };
  return RowComparison.plan(request, snapshot.client, target.client);
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
    openSource: () => openSource(job, databases),
    openTarget: () => openTarget(job, databases),
    meter,
    contexts,
    signal: AbortSignal.any([signal, held.lost]),
  });
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('all_chunks_committed');
  return ledger;
}
