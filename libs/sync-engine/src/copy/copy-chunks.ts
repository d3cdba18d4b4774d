import type { JobMasks } from '../plan/compile-masks.js';
import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import type { Client, Session } from '@understudy/postgres';
import type { DatabaseSide, TableName } from '@understudy/sync-job';
import { guard, type FailureContext } from '../session/guard.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { MaskingThreads } from './threads/masking-threads.js';
import type { Chunk } from './plan-chunks.js';
import { type CopiedChunk, copyChunk } from './copy-chunk.js';
import { runWithSessions } from '../session/job-sessions.js';
import { type PairUnderWatch, Watchdog, type WatchdogSettings } from './watchdog.js';

/** Writes one chunk on the target as one unit. */
export interface ChunkWriter {
  /**
   * One transaction.
   * @param copy writes the chunk's rows into a table of the writer's choice that has the table's written columns
   */
  write(client: Client, chunk: Chunk, copy: CopyInto): Promise<void>;
}

/** @param options `isText`: all columns of `into` are of type text, whatever the table's are */
export type CopyInto = (into: TableName, options?: { readonly isText?: boolean }) => Promise<CopiedChunk>;

export interface ChunksRequest {
  /** Taken in this order. */
  readonly chunks: readonly Chunk[];
  /** Done by an earlier attempt. */
  readonly isDone: (chunk: Chunk) => boolean;
  /** Pairs of source and target at most. */
  readonly connections: number;
  /** Joined to the snapshot. */
  readonly openSource: () => Promise<Session>;
  readonly openTarget: () => Promise<Session>;
  readonly writer: ChunkWriter;
  /** By table index. */
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  readonly job: JobKeyMaterial;
  /** For the rows of these tables; ended with the copy. */
  readonly threads?: { readonly of: MaskingThreads; readonly tables: ReadonlySet<number> } | undefined;
  readonly contextOf: (side: DatabaseSide, tableIndex: number) => FailureContext;
  /** Rows that have begun and bytes written since it was last called for the table. */
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
  readonly watchdog: WatchdogSettings;
  readonly signal: AbortSignal;
}

export interface CopiedChunks {
  /** By table index: columns in which a value was cut. */
  readonly truncated: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Copies the chunks over several pairs of connections, each pair one chunk after the other. When it resolves, all chunks are
 * written. When it rejects, no session of it is left, and every chunk is written whole or not at all.
 * @throws the first failure, or the signal's reason
 */
export async function copyChunks(request: ChunksRequest): Promise<CopiedChunks> {
  const { connections, openSource, openTarget, threads } = request;
  const waiting = request.chunks.filter((chunk) => !request.isDone(chunk));
  const queue = waiting.values();
  const truncated = new Map<number, Set<string>>();
  const stall = new AbortController();
  const watchdog = new Watchdog(request.watchdog, (error) => {
    stall.abort(error);
  });
  const signal = AbortSignal.any([request.signal, stall.signal]);
  // A thread may need long for one row.
  const closeThreads = () => void threads?.of.close();
  try {
    await runWithSessions(signal, Math.min(connections, waiting.length), async (sessions, either) => {
      either.addEventListener('abort', closeThreads, { once: true });
      const [source, target] = await Promise.all([sessions.open(openSource), sessions.open(openTarget)]);
      // The rows of a chunk come in the same order each time it is read.
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
  if (plan === undefined) throw new Error('a chunk of a table that is not in the job');
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
  await guard(contextOf('target', tableIndex), () => writer.write(pair.target.client, chunk, copy));
}
