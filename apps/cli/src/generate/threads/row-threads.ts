import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { RowTask, RowRange } from '../generation-task.js';
import { type Chunk, CHUNK_BYTES } from '../row-maker.js';

/** Ranges that a thread has at a time, so that it works while the rows of others are written. */
const RANGES_PER_THREAD = 2;
const MAX_ROWS_PER_RANGE = 10_000;
const ROWS_OF_FIRST_RANGE = 50;

/**
 * Threads that make rows. Each takes one range after another; the chunks come in the order of the rows. A thread
 * makes the next chunk of a range only when it is asked, so no more than `RANGES_PER_THREAD + 1` chunks a thread are
 * there at any time, however fast or slow they are taken.
 */
export class RowThreads {
  private readonly threads: readonly Thread[];

  constructor(task: RowTask, count: number) {
    this.threads = Array.from({ length: count }, () => new Thread(task));
  }

  /** Ends with the first chunk that has a failure. */
  async *chunks({ from, to }: RowRange): AsyncGenerator<Chunk> {
    const queue: QueuedRange[] = [];
    let unassigned = from;
    let rowsPerRange = ROWS_OF_FIRST_RANGE;
    const assign = (thread: Thread): void => {
      if (unassigned >= to) return;
      const range = { from: unassigned, to: Math.min(to, unassigned + rowsPerRange) };
      unassigned = range.to;
      queue.push({ thread, to: range.to, chunk: thread.ask(range) });
    };
    for (let i = 0; i < RANGES_PER_THREAD; i += 1) this.threads.forEach(assign);
    for (let queued = queue.shift(); queued; queued = queue.shift()) {
      for (let rest: Promise<Chunk> | undefined = queued.chunk; rest;) {
        const chunk: Chunk = await rest;
        const isLast = chunk.next >= queued.to || chunk.failure !== undefined;
        rest = isLast ? undefined : queued.thread.ask({ from: chunk.next, to: queued.to });
        if (isLast) assign(queued.thread);
        yield chunk;
        if (chunk.failure !== undefined) return;
        rowsPerRange = rowsLike(chunk);
      }
    }
  }

  /** Also while they are at work. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

interface QueuedRange {
  readonly thread: Thread;
  readonly to: number;
  readonly chunk: Promise<Chunk>;
}

/** Returns how many rows of the same size fill a chunk. */
function rowsLike({ bytes, from, next }: Chunk): number {
  return Math.max(1, Math.min(MAX_ROWS_PER_RANGE, Math.floor((CHUNK_BYTES * (next - from)) / bytes.length)));
}

class Thread {
  private readonly worker: Worker;
  private readonly asked: {
    readonly resolve: (chunk: Chunk) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  private ended: { readonly error: unknown } | undefined;

  constructor(task: RowTask) {
    this.worker = new Worker(join(import.meta.dirname, 'row-thread.js'), { workerData: task });
    this.worker.on('message', (chunk: Chunk) => this.asked.shift()?.resolve(chunk));
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('exit', () => this.end(new Error('a thread ended by itself')));
  }

  /** Answers come in the order of the questions. */
  ask(range: RowRange): Promise<Chunk> {
    const answer = new Promise<Chunk>((resolve, reject) => {
      if (this.ended) reject(this.ended.error);
      else this.asked.push({ resolve, reject });
    });
    // The caller that waits for the answer sees the error; without one it does not matter.
    answer.catch(() => undefined);
    this.worker.postMessage(range);
    return answer;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private end(error: unknown): void {
    this.ended ??= { error };
    for (const { reject } of this.asked.splice(0)) reject(this.ended.error);
  }
}
