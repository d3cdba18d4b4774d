import type { JobMasks } from '../plan/compile-masks.js';
import type { JobKeyMaterial } from '@understudy/masking';
import type { EvaluationPaths, Session } from '@understudy/postgres';
import type { Chunk } from '../copy/plan-chunks.js';
import { copyChunks, type ChunksRequest } from '../copy/copy-chunks.js';
import { loggedWatchdog } from '../copy/watchdog.js';
import type { FailureContexts } from '../session/failure-contexts.js';
import { tablesMaskedInThreads, type ThreadRules } from '../copy/threads/rules-in-threads.js';
import { MaskingThreads } from '../copy/threads/masking-threads.js';
import type { ProgressMeter } from '../progress/progress-meter.js';
import type { StagedJob } from './stage-job.js';
import { StagingWriter } from '../copy/chunk-writer.js';
import { rowsInLedger, type LedgerChunk } from '../stage/ledger/staging-ledger.js';
import type { JobAttempt } from '../session/job-attempt.js';
import type { SyncEnvironment } from '../environment.js';
import type { TablePlan } from '../plan/table-plan.js';

export interface CopyTablesRequest {
  readonly attempt: JobAttempt;
  readonly environment: Pick<SyncEnvironment, 'copy' | 'log' | 'now' | 'reached'>;
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly job: JobKeyMaterial;
  readonly staged: StagedJob;
  readonly threadRules: ThreadRules;
  readonly paths: EvaluationPaths;
  readonly connections: number;
  /** Opens a session that has joined the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
  readonly keepTarget: (session: Session) => void;
  readonly meter: ProgressMeter;
  readonly contexts: FailureContexts;
  readonly signal: AbortSignal;
}

/**
 * Copies the chunks that are not yet in staging.
 * @returns the chunks that this attempt and earlier ones have committed
 */
export async function copyTables(request: CopyTablesRequest): Promise<readonly LedgerChunk[]> {
  const { attempt, staged, meter, contexts, environment } = request;
  const { chunks, done } = staged;
  const ledger = [...done];
  const left = new Map<number, number>();
  for (const { tableIndex } of chunks) left.set(tableIndex, (left.get(tableIndex) ?? 0) + 1);
  const count = ({ tableIndex }: LedgerChunk) => {
    const rest = (left.get(tableIndex) ?? 0) - 1;
    left.set(tableIndex, rest);
    if (rest === 0) meter.copied(tableIndex, rowsInLedger(ledger, tableIndex));
  };
  for (const chunk of done) {
    meter.moved(chunk.tableIndex, chunk.rows, chunk.bytes);
    count(chunk);
  }
  meter.enter('copying');
  const isDone = new Set(done.map(({ tableIndex, number }) => `${tableIndex}.${number}`));
  const isLeft = ({ tableIndex, number }: Chunk) => !isDone.has(`${tableIndex}.${number}`);
  const onCommitted = (chunk: LedgerChunk) => {
    ledger.push(chunk);
    count(chunk);
  };
  const setPath = (tableIndex: number) => request.paths.sqlFor(request.plans[tableIndex]?.target?.oid);
  const { reached, now } = environment;
  const writer = new StagingWriter(attempt, staged.tables, reached, now, onCommitted, setPath);
  await copyChunks({
    chunks,
    isDone: (chunk) => !isLeft(chunk),
    connections: request.connections,
    openSource: request.openSource,
    openTarget: request.openTarget,
    keepTarget: request.keepTarget,
    writer,
    plans: request.plans,
    masks: request.masks,
    job: request.job,
    threads: threadsFor(request, chunks.filter(isLeft)),
    contextOf: (side, tableIndex) => contexts.on(side, tableIndex),
    onProgress: meter.moved,
    watchdog: loggedWatchdog(environment.log, attempt),
    signal: request.signal,
  });
  return ledger;
}

function threadsFor(
  { threadRules, environment: { copy } }: CopyTablesRequest,
  left: readonly Chunk[],
): ChunksRequest['threads'] {
  const tables = tablesMaskedInThreads(threadRules.tables, left, copy);
  if (tables.size === 0) return undefined;
  return { of: new MaskingThreads(threadRules.job, copy.maskingThreads ?? 0), tables };
}
