import { guard } from '../postgres/guard.js';
import { openSource, openTarget } from './attempt-sessions.js';
import { copyTables } from './copy-tables.js';
import type { CopiedJob, JobDatabases, PreparedJob, RunningJob } from './running-job.js';
import { buildIndexes } from './staging/build-indexes.js';
import { type LedgerChunk, readBuilds } from './staging/staging-ledger.js';
import { copiedRows } from './subset/copied-rows.js';
import type { TablePlan } from './table-plan.js';
import { bothOrFirstFailure } from './verification/both-or-first-failure.js';
import { RowComparison } from './verification/row-comparison.js';

/**
 * Copies the rows, builds what the staged tables need, and meanwhile reads the source's rows once more, for the comparison: that needs
 * nothing but the snapshot.
 */
export async function copyAndBuild(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
): Promise<CopiedJob> {
  const { contexts, environment, meter, signal } = job;
  const { held } = databases.snapshot;
  const comparison = await planComparison(job, prepared, databases);
  let ledger: readonly LedgerChunk[] = [];
  await bothOrFirstFailure(signal, [
    async (either) => {
      ledger = await copy(job, prepared, databases, either);
      meter.enter('indexing');
      await build(job, databases, either);
    },
    (either) => comparison.readSource(() => openSource(job, databases), either, BESIDE_THE_COPY),
  ]);
  await guard(contexts.on('source'), () => held.confirm());
  await environment.reached('indexes_built');
  return { ...prepared, ledger, comparison };
}

/** The copy's own sessions come first; one that only reads is done long before them. */
const BESIDE_THE_COPY = 1;

function planComparison(
  { contexts, environment, meter }: RunningJob,
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
    onVerified: meter.verified,
  };
  return RowComparison.plan(request, snapshot.client, target.client);
}

async function copy(
  job: RunningJob,
  { plans, masks, staged, apart }: PreparedJob,
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
    apart,
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

async function build(job: RunningJob, databases: JobDatabases, signal: AbortSignal): Promise<void> {
  const { command, contexts, environment } = job;
  const contextOf = (tableIndex?: number) => contexts.on('target', tableIndex);
  const builds = await guard(contextOf(), () => readBuilds(databases.target.client, command.jobId));
  const { connections } = environment.copy;
  await buildIndexes({
    attempt: command,
    builds,
    connections,
    openTarget: () => openTarget(job, databases),
    contextOf,
    signal,
  });
}
