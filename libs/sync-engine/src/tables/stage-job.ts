import { type Chunk, planChunks } from '../copy/plan-chunks.js';
import type { TableDefinitions } from '../stage/create/define-tables.js';
import type { SwapDump } from '../stage/swap/swap-dump.js';
import type { LocatedClient } from '../session/located-client.js';
import type { SyncWarning } from '@understudy/sync-job';
import { lockRetry, type JobDatabases, type RunningJob, type StagedJob } from '../attempt/running-job.js';
import { dropStaging } from '../stage/drop-staging.js';
import { readExistingTables } from '../stage/create/require-unaltered.js';
import { stageTables } from '../stage/create/stage-tables.js';
import { type LedgerRow, readChunks, readStagedTables } from '../stage/ledger/staging-ledger.js';
import type { JobAttempt } from '../session/job-attempt.js';
import { lockHoldersOf } from '../stage/switch/switch-locks.js';
import { untilUnlocked } from '../stage/switch/lock-retry.js';
import type { TablePlan } from '../plan/table-plan.js';
import { readUsedValues } from '../verify/verify-sequences.js';

export interface StageJobRequest {
  readonly plans: readonly TablePlan[];
  readonly fingerprint: string;
  /** The ledger row of an earlier attempt, if there is one. */
  readonly earlier: LedgerRow | undefined;
  /** Returns the definitions of the missing tables. Called unless the attempt continues with an earlier staging. */
  readonly define: () => Promise<TableDefinitions>;
  /** The dump of the target's definitions of the tables that can be swapped. The caller discards it. */
  readonly swapDump: SwapDump;
  /** Returns true for tables that must be copied as one chunk, because their rules need the rows in order. */
  readonly needsOrder: (plan: Pick<TablePlan, 'index'>) => boolean;
}

/**
 * Creates the staging of a job. If an earlier attempt created a staging with the same fingerprint and the
 * same snapshot, this attempt continues with it, because both attempts copy the same bytes. Otherwise the job
 * starts again from zero, because rows with different snapshots or fingerprints must not be mixed.
 */
export async function stageJob(
  job: RunningJob,
  databases: JobDatabases,
  request: StageJobRequest,
): Promise<StagedJob> {
  const { command: attempt, environment } = job;
  const { earlier, plans, fingerprint, needsOrder } = request;
  const { snapshot } = databases;
  const [source, target] = [databases.source.client, databases.target.client];
  const retry = lockRetry(job);
  const existing = await readExistingTables(target, plans);
  // Reading a sequence waits for sessions that lock it, so those of other roles are not read.
  const usedOnTarget = existing && (await readUsedValues(target, { onlyOwn: true }));
  const before = { existing, usedOnTarget };
  if (earlier?.fingerprint === fingerprint && snapshot.joined === earlier.snapshotId) {
    return resume(attempt, target, earlier, before);
  }
  const warnings: SyncWarning[] = [];
  const unlocked = <T>(work: () => Promise<T>) =>
    untilUnlocked(retry, work, () => lockHoldersOf(target, plans));
  if (earlier !== undefined) {
    await unlocked(() => dropStaging(target, attempt));
    warnings.push({ code: 'restarted_from_zero' });
  }
  const definitions = await request.define();
  warnings.push(...definitions.warnings);
  const { chunkBytes } = environment.copy;
  const chunks = await planChunks(source, plans, { chunkBytes, needsOrder });
  // Only the first try stages replacement tables. If a lock makes it fail, the next tries stage all existing
  // tables for a rewrite, which needs weaker locks at this point.
  let swap = await request.swapDump.swap();
  if (request.swapDump.lacksPgDump) warnings.push({ code: 'rewritten_without_pg_dump' });
  const staging = {
    ...{ attempt, plans, definitions, source, fingerprint, warnings, existing },
    maskingKey: environment.keys.maskingKey,
    snapshotId: snapshot.id,
    plan: JSON.stringify(chunks),
    lockTryMs: retry.tryMs,
    log: environment.log,
  };
  const staged = await unlocked(() => {
    const first = swap;
    swap = undefined;
    return stageTables(target, { ...staging, swap: first });
  });
  return { ...staged, chunks, done: [], warnings, ...before };
}

async function resume(
  { jobId }: JobAttempt,
  target: LocatedClient,
  earlier: LedgerRow,
  before: Pick<StagedJob, 'existing' | 'usedOnTarget'>,
): Promise<StagedJob> {
  return {
    tables: await readStagedTables(target, jobId),
    chunks: JSON.parse(earlier.plan) as readonly Chunk[],
    done: await readChunks(target, jobId),
    deferredSql: earlier.deferredSql,
    postDataSql: earlier.postDataSql,
    swapSql: earlier.swapSql,
    warnings: earlier.warnings,
    ...before,
  };
}
