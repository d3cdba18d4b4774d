import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { RowTask, RowRange } from '../generation-task.js';
import { type Chunk, CHUNK_BYTES } from '../row-maker.js';

/**
 * The number of ranges in the queue of each thread. With two, a thread keeps working while the rows of other
 * threads are written.
 */
const RANGES_PER_THREAD = 2;
const MAX_ROWS_PER_RANGE = 10_000;
const ROWS_OF_FIRST_RANGE = 50;

/**
 * A pool of threads that generate rows. Each thread processes one range after another, and the pool returns the
 * chunks in the order of the rows. A thread generates the next chunk of a range only on request. This limits the
 * memory to `RANGES_PER_THREAD + 1` chunks per thread, even if the reader is slow.
 */
export class RowThreads {
  private readonly threads: readonly Thread[];

  constructor(task: RowTask, count: number) {
    this.threads = Array.from({ length: count }, () => new Thread(task));
  }

  /** Returns the chunks of a range. Ends after the first chunk that has a failure. */
  async *chunks({ from, to }: RowRange): AsyncGenerator<Chunk> {
    const queue: QueuedRange[] = [];
    let unassigned = from;
    // A single thread gets one range. The rest of a range follows the thread's other ranges, and an ordered plan
    // cannot move backward.
    let rowsPerRange = this.threads.length === 1 ? to - from : ROWS_OF_FIRST_RANGE;
    const assign = (thread: Thread): void => {
      if (unassigned >= to) return;
      const range = { from: unassigned, to: Math.min(to, unassigned + rowsPerRange) };
      unassigned = range.to;
      queue.push({ thread, to: range.to, chunk: thread.request(range) });
    };
    for (let i = 0; i < RANGES_PER_THREAD; i += 1) this.threads.forEach(assign);
    for (let queued = queue.shift(); queued; queued = queue.shift()) {
      for (let rest: Promise<Chunk> | undefined = queued.chunk; rest;) {
        const chunk: Chunk = await rest;
        const isLast = chunk.next >= queued.to || chunk.failure !== undefined;
        rest = isLast ? undefined : queued.thread.request({ from: chunk.next, to: queued.to });
        if (isLast) assign(queued.thread);
        yield chunk;
        if (chunk.failure !== undefined) return;
        rowsPerRange = rowsLike(chunk);
      }
    }
  }

  /** Terminates the threads, also while they work. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

interface QueuedRange {
  readonly thread: Thread;
  readonly to: number;
  readonly chunk: Promise<Chunk>;
}

/** Estimates how many rows fill a chunk, from the average row size of the given chunk. */
function rowsLike({ bytes, from, next }: Chunk): number {
  return Math.max(1, Math.min(MAX_ROWS_PER_RANGE, Math.floor((CHUNK_BYTES * (next - from)) / bytes.length)));
}

class Thread {
  private readonly worker: Worker;
  private readonly pending: {
    readonly resolve: (chunk: Chunk) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  private ended: { readonly error: unknown } | undefined;

  constructor(task: RowTask) {
    this.worker = new Worker(join(import.meta.dirname, 'row-thread.js'), { workerData: task });
    this.worker.on('message', (chunk: Chunk) => this.pending.shift()?.resolve(chunk));
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('exit', () => this.end(new Error('a thread ended unexpectedly')));
  }

  /** Requests the first chunk of a range. The thread responds in the order of the requests. */
  request(range: RowRange): Promise<Chunk> {
    const response = new Promise<Chunk>((resolve, reject) => {
      if (this.ended) reject(this.ended.error);
      else this.pending.push({ resolve, reject });
    });
    // A caller that awaits the response gets the error. Without this line, an unread response would end the process.
    response.catch(() => undefined);
    this.worker.postMessage(range);
    return response;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private end(error: unknown): void {
    this.ended ??= { error };
    for (const { reject } of this.pending.splice(0)) reject(this.ended.error);
  }
}
