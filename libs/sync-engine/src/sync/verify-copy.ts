import { guard } from '../postgres/guard.js';
import { openSource, openTarget } from './attempt-sessions.js';
import { type CopiedJob, type JobDatabases, rowsByTable, type RunningJob } from './running-job.js';
import { buildIndexes } from './staging/build-indexes.js';
import { readBuilds } from './staging/staging-ledger.js';
import { copiedRows } from './subset/copied-rows.js';
import type { TablePlan } from './table-plan.js';
import { bothOrFirstFailure } from './verification/both-or-first-failure.js';
import { requireVerified } from './verification/require-verified.js';
import { RowComparison } from './verification/row-comparison.js';
import type { VerificationCheck } from './verification/verification.js';

/**
 * Builds what the staged tables need, and compares their rows with the source's, which are read while the target is at work on its indexes.
 * @throws SyncJobError verification_failed
 */
export async function buildAndVerify(
  job: RunningJob,
  copied: CopiedJob,
  databases: JobDatabases,
): Promise<readonly VerificationCheck[]> {
  const { contexts, environment, meter, signal } = job;
  const { source, target, snapshot } = databases;
  const { plans, masks, staged } = copied;
  const into = new Map(staged.tables.map((table) => [table.tableIndex, table.into]));
  const request = {
    plans,
    masks,
    copied: rowsByTable(copied),
    stagedAs: ({ index, name }: TablePlan) => into.get(index) ?? name,
    sourceRows: copiedRows,
    connections: environment.copy.connections,
    contextOf: contexts.on.bind(contexts),
    onVerified: meter.verified,
  };
  const rows = await RowComparison.plan(request, source.client, target.client);
  meter.enter('indexing');
  await bothOrFirstFailure(signal, [
    (either) => build(job, databases, either),
    (either) => rows.readSource(() => openSource(job, databases), either),
  ]);
  await guard(contexts.on('source'), () => snapshot.held.confirm());
  await environment.reached('indexes_built');
  meter.enter('verifying');
  const checks = await rows.compareTarget(() => openTarget(job, databases), signal);
  requireVerified(checks);
  return checks;
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
