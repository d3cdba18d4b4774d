import { releasingLocks } from '@understudy/postgres';
import { guard } from '../session/guard.js';
import { runWithSessions } from '../session/job-sessions.js';
import { type ChunksRequest, copyChunk, type CopyInto } from './copy-chunk.js';
import type { Chunk } from './plan-chunks.js';
import { type PairUnderWatch, Watchdog } from './watchdog.js';

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
  request: ChunksRequest,
  chunk: Chunk,
  pair: PairUnderWatch,
  truncated: Map<number, Set<string>>,
): Promise<void> {
  const { plans, writer, contexts } = request;
  const { tableIndex } = chunk;
  const plan = plans[tableIndex];
  if (plan === undefined) throw new Error(`a chunk belongs to table ${tableIndex}, which is not in the job`);
  pair.begins(tableIndex);
  const [onSource, onTarget] = [contexts.on('source', tableIndex), contexts.on('target', tableIndex)];
  const copy: CopyInto = async (into, { isText = false } = {}) => {
    const copied = await copyChunk(request, { plan, chunk, into, isText, pair, onSource, onTarget });
    const kept = truncated.get(tableIndex) ?? new Set();
    for (const column of copied.truncated) kept.add(column);
    if (kept.size > 0) truncated.set(tableIndex, kept);
    return copied;
  };
  await guard(onSource, () =>
    releasingLocks(pair.source.client, () =>
      guard(onTarget, () => writer.write(pair.target.client, chunk, copy)),
    ),
  );
}
