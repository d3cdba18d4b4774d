import type { JobMasks } from '../plan/compile-masks.js';
import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { releasingLocks, type Client, type Session } from '@understudy/postgres';
import type { DatabaseSide, TableName } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { MaskingThreads } from './threads/masking-threads.js';
import type { Chunk } from './plan-chunks.js';
import { type CopiedChunk, copyChunk } from './copy-chunk.js';
import { runWithSessions } from '../session/job-sessions.js';
import { type PairUnderWatch, Watchdog, type WatchdogSettings } from './watchdog.js';

/** Writes chunks to the target. */
export interface ChunkWriter {
  /**
   * Writes the chunk in one transaction.
   * @param copy writes the chunk's rows into a table that the implementation chooses. This table must have
   * the written columns.
   */
  write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void>;
}

/**
 * Copies the chunk's rows into a table.
 * @param options `isText`: all columns of `into` are of type text, even if the real table has other types
 */
export type CopyInto = (into: TableName, options?: { readonly isText?: boolean }) => Promise<CopiedChunk>;

export interface ChunksRequest {
  /** All chunks, in the order in which they are copied. */
  readonly chunks: readonly Chunk[];
  /** Returns true if an earlier attempt has committed the chunk. */
  readonly isDone: (chunk: Chunk) => boolean;
  /** The maximum number of pairs of a source and a target session. */
  readonly connections: number;
  /** Opens a session that has joined the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
  /** Receives each session on the target after its last chunk. If undefined, the session is closed. */
  readonly keepTarget?: (session: Session) => void;
  readonly writer: ChunkWriter;
  /** The plans, by table index. */
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly job: JobKeyMaterial;
  /**
   * The threads that mask rows, and the table indexes of the tables whose rows they mask. `copyChunks` ends
   * the threads. If undefined, the current thread masks all rows.
   */
  readonly threads?: { readonly of: MaskingThreads; readonly tables: ReadonlySet<number> } | undefined;
  readonly contextOf: (side: DatabaseSide, tableIndex: number) => FailureContext;
  /** Receives the rows that were read and the bytes that were written since the last call for this table. */
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
  readonly watchdog: WatchdogSettings;
  readonly signal: AbortSignal;
}

export interface CopiedChunks {
  /** The columns in which a value was cut, by table index. */
  readonly truncated: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Copies the chunks with several pairs of connections. Each pair copies one chunk after another. If the
 * promise rejects, all sessions are closed, and each chunk is either written completely or not at all.
 * @throws the first failure, or the signal's reason
 */
export async function copyChunks(request: ChunksRequest): Promise<CopiedChunks> {
  const { connections, openSource, openTarget, keepTarget, threads } = request;
  const waiting = request.chunks.filter((chunk) => !request.isDone(chunk));
  const queue = waiting.values();
  const truncated = new Map<number, Set<string>>();
  const stall = new AbortController();
  const watchdog = new Watchdog(request.watchdog, (error) => {
    stall.abort(error);
  });
  const signal = AbortSignal.any([request.signal, stall.signal]);
  // On abort, the threads are ended immediately, because a thread can take long for one row.
  const closeThreads = () => void threads?.of.close();
  try {
    await runWithSessions(signal, Math.min(connections, waiting.length), async (sessions, either) => {
      either.addEventListener('abort', closeThreads, { once: true });
      const [source, target] = await Promise.all([sessions.open(openSource), sessions.open(openTarget)]);
      // Without parallel workers, the server returns a chunk's rows in the same order each time.
      await source.client.query('SET max_parallel_workers_per_gather = 0');
      const pair = watchdog.watch(source, target);
      try {
        for (const chunk of queue) {
          await copyOne(request, chunk, pair, truncated);
          either.throwIfAborted();
        }
      } finally {
        pair.done();
      }
      if (keepTarget === undefined) return;
      sessions.release(target);
      keepTarget(target);
    });
    return { truncated };
  } finally {
    watchdog.stop();
    await threads?.of.close();
  }
}

async function copyOne(
  { plans, masks, job, threads, writer, contextOf, onProgress }: ChunksRequest,
  chunk: Chunk,
  pair: PairUnderWatch,
  truncated: Map<number, Set<string>>,
): Promise<void> {
  const { tableIndex } = chunk;
  const plan = plans[tableIndex];
  if (plan === undefined) throw new Error(`a chunk belongs to table ${tableIndex}, which is not in the job`);
  pair.begins(tableIndex);
  const copy: CopyInto = async (into, { isText = false } = {}) => {
    const copied = await copyChunk({
      plan,
      masks: masks.get(tableIndex) ?? new Map<string, CellMask>(),
      job,
      threads: threads?.tables.has(tableIndex) === true ? threads.of : undefined,
      chunk,
      into,
      isText,
      source: pair.source.client,
      target: pair.target.client,
      contextOf: (side) => contextOf(side, tableIndex),
      onProgress: (rows, bytes) => {
        pair.moved();
        onProgress(tableIndex, rows, bytes);
      },
    });
    const kept = truncated.get(tableIndex) ?? new Set();
    for (const column of copied.truncated) kept.add(column);
    if (kept.size > 0) truncated.set(tableIndex, kept);
    return copied;
  };
  await guard(contextOf('source', tableIndex), () =>
    releasingLocks(pair.source.client, () =>
      guard(contextOf('target', tableIndex), () => writer.write(pair.target.client, chunk, copy)),
    ),
  );
}
