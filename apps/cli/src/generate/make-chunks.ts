import { compileTask, type RowTask, type RowRange } from './generation-task.js';
import { type Chunk, RowMaker } from './row-maker.js';
import { RowThreads } from './threads/row-threads.js';

/**
 * The rows of a range as chunks in their order, made by so many threads, or in this one for 0. The bytes are the same
 * whatever the number. Ends with the first chunk that has a failure.
 * @param signal ends the threads, also in the middle of a row; what is waited for is an error then
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
