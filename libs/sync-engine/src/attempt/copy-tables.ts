import type { Chunk } from '../copy/plan-chunks.js';
import { copyChunks } from '../copy/copy-chunks.js';
import { loggedWatchdog } from '../copy/watchdog.js';
import { tablesMaskedInThreads } from '../copy/threads/rules-in-threads.js';
import { MaskingThreads } from '../copy/threads/masking-threads.js';
import type { ChunksRequest } from '../copy/copy-chunk.js';
import type { SyncEnvironment } from '../environment.js';
import type { JobDatabases, PreparedJob, RunningJob } from './running-job.js';
import { StagingWriter } from '../copy/chunk-writer.js';
import type { LedgerChunk } from '../stage/ledger/staging-ledger.js';

/**
 * Copies the chunks that are not yet in staging.
 * @returns the chunks that this attempt and earlier ones have committed
 */
export async function copyTables(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
  signal: AbortSignal,
): Promise<readonly LedgerChunk[]> {
  const { command, environment, meter } = job;
  const { copy, log, now, reached } = environment;
  const { plans, staged, paths, threadRules } = prepared;
  const { held } = databases.snapshot;
  const { chunks, done } = staged;
  const ledger = [...done];
  const left = new Map<number, number>();
  for (const { tableIndex } of chunks) left.set(tableIndex, (left.get(tableIndex) ?? 0) + 1);
  const copied = new Map<number, number>();
  const count = ({ tableIndex, rows }: LedgerChunk) => {
    const rest = (left.get(tableIndex) ?? 0) - 1;
    const sum = (copied.get(tableIndex) ?? 0) + rows;
    left.set(tableIndex, rest);
    copied.set(tableIndex, sum);
    if (rest === 0) meter.copied(tableIndex, sum);
  };
  for (const chunk of done) {
    meter.moved(chunk.tableIndex, chunk.rows, chunk.bytes);
    count(chunk);
  }
  meter.enter('copying');
  meter.build?.enter('rows');
  const isDone = new Set(done.map(({ tableIndex, number }) => `${tableIndex}.${number}`));
  const isLeft = ({ tableIndex, number }: Chunk) => !isDone.has(`${tableIndex}.${number}`);
  const onCommitted = (chunk: LedgerChunk) => {
    ledger.push(chunk);
    count(chunk);
  };
  const setPath = (tableIndex: number) => paths.sqlFor(plans[tableIndex]?.target?.oid);
  await copyChunks({
    ...{ ...job, ...prepared, chunks },
    isDone: (chunk) => !isLeft(chunk),
    connections: databases.room.connections,
    openSource: databases.open.source,
    openTarget: databases.open.target,
    // The builds that follow take them.
    keepTarget: (session) => job.sessions.keep(session),
    writer: new StagingWriter(command, staged.tables, reached, now, onCommitted, setPath),
    threads: threadsFor(threadRules, chunks.filter(isLeft), copy),
    onProgress: meter.moved,
    watchdog: loggedWatchdog(log, command),
    signal: AbortSignal.any([signal, held.lost]),
  });
  await held.confirm();
  await reached('all_chunks_committed');
  return ledger;
}

function threadsFor(
  rules: PreparedJob['threadRules'],
  left: readonly Chunk[],
  copy: SyncEnvironment['copy'],
): ChunksRequest['threads'] {
  const tables = tablesMaskedInThreads(rules.tables, left, copy);
  if (tables.size === 0) return undefined;
  return { of: new MaskingThreads(rules.job, copy.maskingThreads ?? 0), tables };
}
