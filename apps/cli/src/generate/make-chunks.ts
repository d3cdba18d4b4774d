import { compileTask, type RowTask, type RowRange } from './generation-task.js';
import { type Chunk, RowMaker } from './row-maker.js';
import { RowThreads } from './threads/row-threads.js';

/**
 * Generates the rows of a range as chunks, in the order of the rows. The bytes do not depend on the number of
 * threads. Ends after the first chunk that has a failure.
 * @param threads the number of worker threads; with 0, the calling thread generates the rows
 * @param signal terminates the threads, also in the middle of a row; a pending `next()` then rejects
 */
export async function* makeChunks(
  task: RowTask,
  range: RowRange,
  threads: number,
  signal?: AbortSignal,
): AsyncGenerator<Chunk> {
  if (threads === 0) {
    yield* makeHere(task, range);
    return;
  }
  const pool = new RowThreads(task, threads);
  const close = (): void => void pool.close();
  signal?.addEventListener('abort', close);
  try {
    yield* pool.chunks(range);
  } finally {
    signal?.removeEventListener('abort', close);
    await pool.close();
  }
}

function* makeHere(task: RowTask, { from, to }: RowRange): Generator<Chunk> {
  const rows = new RowMaker(compileTask(task), task.seed, task.layout);
  for (let next = from; next < to;) {
    const chunk = rows.chunk({ from: next, to });
    yield chunk;
    if (chunk.failure !== undefined) return;
    next = chunk.next;
  }
}
