import { guard } from '../session/guard.js';
import type { PgToolLocations, Session, EngineLog } from '@understudy/postgres';
import { type Chunk, planChunks } from '../copy/plan-chunks.js';
import { defineTables, NOTHING_TO_DEFINE, type TableDefinitions } from '../stage/create/define-tables.js';
import { DefinitionDump } from '../stage/create/definition-dump.js';
import type { SwapDump } from '../stage/swap/swap-dump.js';
import type { FailureContexts } from '../session/failure-contexts.js';
import type { SyncWarning } from '@understudy/sync-job';
import type { Snapshot } from '../source/snapshot.js';
import { dropStaging } from '../stage/drop-staging.js';
import { type ExistingTables, readExistingTables } from '../stage/create/require-unaltered.js';
import { stageTables } from '../stage/create/stage-tables.js';
import {
  type LedgerChunk,
  type LedgerRow,
  readChunks,
  readStagedTables,
  type StagedTable,
} from '../stage/ledger/staging-ledger.js';
import { type JobAttempt } from '../session/job-attempt.js';
import { lockHoldersOf } from '../stage/switch/switch-locks.js';
import { type LockRetry, untilUnlocked } from '../stage/switch/lock-retry.js';
import type { TablePlan } from '../plan/table-plan.js';
import { readUsedValues, type UsedValues } from '../verify/verify-sequences.js';

export interface StageJobRequest {
  readonly attempt: JobAttempt;
  readonly plans: readonly TablePlan[];
  readonly fingerprint: string;
  readonly maskingKey: Uint8Array;
  readonly snapshot: Snapshot;
  /** The ledger row of an earlier attempt, if there is one. */
  readonly earlier: LedgerRow | undefined;
  readonly source: Session;
  readonly target: Session;
  readonly tools: PgToolLocations;
  readonly sourceVersion: number;
  /**
   * A dump of the source's definition that the caller has started. If it is undefined and a table is missing
   * on the target, `stageJob` starts a dump.
   */
  readonly dump?: DefinitionDump | undefined;
  /** The result of {@link defineMissing}, if the caller has it already. */
  readonly definitions?: TableDefinitions | undefined;
  /** The dump of the target's definitions of the tables that can be swapped. The caller discards it. */
  readonly swapDump: SwapDump;
  readonly chunkBytes: number;
  /** Returns true for tables that must be copied as one chunk, because their rules need the rows in order. */
  readonly needsOrder: (plan: Pick<TablePlan, 'index'>) => boolean;
  readonly contexts: FailureContexts;
  /** Whether missing tables may use objects of the target that other roles could have planted. */
  readonly allowsSharedSchemas: boolean;
  readonly retry: LockRetry;
  readonly log: EngineLog;
  readonly signal: AbortSignal;
}

export type DefineRequest = Pick<
  StageJobRequest,
  | 'plans'
  | 'snapshot'
  | 'source'
  | 'target'
  | 'tools'
  | 'sourceVersion'
  | 'dump'
  | 'contexts'
  | 'allowsSharedSchemas'
  | 'signal'
> & {
  /** The indexes of missing tables that only the switch may create. */
  readonly deferring?: ReadonlySet<number>;
};

/** A target with staged tables that are ready for rows. */
export interface StagedJob {
  readonly tables: readonly StagedTable[];
  readonly chunks: readonly Chunk[];
  /** The chunks that earlier attempts have committed. */
  readonly done: readonly LedgerChunk[];
  readonly deferredSql: string;
  readonly postDataSql: string;
  readonly swapSql: string;
  readonly warnings: readonly SyncWarning[];
  /** The existing tables before this attempt; undefined if the target has no event trigger. */
  readonly existing: ExistingTables | undefined;
  /** The last values of the role's sequences of the target before this attempt; undefined if it has no event trigger. */
  readonly usedOnTarget: UsedValues | undefined;
}

/**
 * Creates the staging of a job. If an earlier attempt created a staging with the same fingerprint and the
 * same snapshot, this attempt continues with it, because both attempts copy the same bytes. Otherwise the job
 * starts again from zero, because rows with different snapshots or fingerprints must not be mixed.
 */
export async function stageJob(request: StageJobRequest): Promise<StagedJob> {
  const { attempt, earlier, plans, snapshot, target, contexts, retry } = request;
  const onTarget = contexts.on('target');
  const existing = await guard(onTarget, () => readExistingTables(target.client, plans));
  // Reading a sequence waits for sessions that lock it, so those of other roles are not read.
  const usedOnTarget =
    existing && (await guard(onTarget, () => readUsedValues(target.client, { onlyOwn: true })));
  const before = { existing, usedOnTarget };
  if (earlier?.fingerprint === request.fingerprint && snapshot.joined === earlier.snapshotId) {
    return guard(onTarget, () => resume(request, earlier, before));
  }
  const warnings: SyncWarning[] = [];
  const unlocked = <T>(work: () => Promise<T>) =>
    untilUnlocked(retry, work, () => guard(onTarget, () => lockHoldersOf(target.client, plans)));
  if (earlier !== undefined) {
    await unlocked(() => guard(onTarget, () => dropStaging(target.client, attempt)));
    warnings.push({ code: 'restarted_from_zero' });
  }
  const definitions = request.definitions ?? (await defineMissing(request));
  warnings.push(...definitions.warnings);
  const { fingerprint, maskingKey, chunkBytes, needsOrder, log } = request;
  const chunks = await guard(contexts.on('source'), () =>
    planChunks(snapshot.client, plans, { chunkBytes, needsOrder }),
  );
  // Only the first try stages replacement tables. If a lock makes it fail, the next tries stage all existing
  // tables for a rewrite, which needs weaker locks at this point.
  let swap = await request.swapDump.swap();
  if (request.swapDump.lacksPgDump) warnings.push({ code: 'rewritten_without_pg_dump' });
  const staging = {
    attempt,
    plans,
    definitions,
    source: snapshot.client,
    fingerprint,
    maskingKey,
    snapshotId: snapshot.id,
    plan: JSON.stringify(chunks),
    warnings,
    existing,
    context: onTarget,
    lockTryMs: retry.tryMs,
    log,
  };
  const staged = await unlocked(() => {
    const first = swap;
    swap = undefined;
    return stageTables(target.client, { ...staging, swap: first });
  });
  return { ...staged, chunks, done: [], warnings, ...before };
}

async function resume(
  { attempt: { jobId }, target }: StageJobRequest,
  earlier: LedgerRow,
  before: Pick<StagedJob, 'existing' | 'usedOnTarget'>,
): Promise<StagedJob> {
  return {
    tables: await readStagedTables(target.client, jobId),
    chunks: JSON.parse(earlier.plan) as readonly Chunk[],
    done: await readChunks(target.client, jobId),
    deferredSql: earlier.deferredSql,
    postDataSql: earlier.postDataSql,
    swapSql: earlier.swapSql,
    warnings: earlier.warnings,
    ...before,
  };
}

/** Returns the SQL that will create the missing tables. Changes neither database. */
export async function defineMissing(request: DefineRequest): Promise<TableDefinitions> {
  const { plans, snapshot, source, target, contexts, signal } = request;
  if (plans.every((plan) => plan.target !== undefined)) return NOTHING_TO_DEFINE;
  const { tools, sourceVersion } = request;
  const contextOf = (side: 'source' | 'target') => contexts.on(side);
  const context = contextOf('source');
  const dump =
    request.dump ??
    new DefinitionDump({
      ...{ snapshot, source: source.target, tools, sourceVersion, context, signal },
      tables: missingOids(plans),
    });
  try {
    await guard(contextOf('target'), () => target.client.query('BEGIN'));
    const archive = () => dump.archive();
    const { allowsSharedSchemas, deferring = new Set() } = request;
    const definitions = await defineTables({
      ...{ plans, snapshot, target: target.client, archive, contextOf, allowsSharedSchemas, deferring },
    });
    await guard(contextOf('target'), () => target.client.query('ROLLBACK'));
    return definitions;
  } finally {
    await dump.discard();
  }
}

/** Returns the oids of the source's tables that the target lacks. */
export function missingOids(plans: readonly TablePlan[]): readonly string[] {
  return plans.flatMap(({ source, target }) => (target === undefined ? [source.oid] : []));
}
