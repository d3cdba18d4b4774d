import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { RowTask } from '../generation-task.js';
import { type Chunk, CHUNK_BYTES } from '../row-maker.js';
import type { RowRange } from '../row-range.js';

/** Ranges that a thread has at a time, so that it goes on while the others' rows are written. */
const TURNS_PER_THREAD = 2;
const MOST_ROWS_PER_TURN = 10_000;
const ROWS_OF_FIRST_TURN = 50;

/**
 * Threads that make rows, each a range in its turn; the chunks come in the order of the rows. Of a range that is not
 * finished a thread makes the next chunk only when it is asked, so no more than `TURNS_PER_THREAD + 1` chunks a thread are
 * there at any time, however fast or slow they are taken.
 */
export class RowThreads {
  private readonly threads: readonly Thread[];

  constructor(task: RowTask, count: number) {
    this.threads = Array.from({ length: count }, () => new Thread(task));
  }

  /** Ends with the first chunk that has a failure. */
  async *chunks({ from, to }: RowRange): AsyncGenerator<Chunk> {
    const turns: Turn[] = [];
    let unassigned = from;
    let rowsPerTurn = ROWS_OF_FIRST_TURN;
    const assign = (thread: Thread): void => {
      if (unassigned >= to) return;
      const range = { from: unassigned, to: Math.min(to, unassigned + rowsPerTurn) };
      unassigned = range.to;
      turns.push({ thread, to: range.to, chunk: thread.ask(range) });
    };
    for (let i = 0; i < TURNS_PER_THREAD; i += 1) this.threads.forEach(assign);
    for (let turn = turns.shift(); turn; turn = turns.shift()) {
      for (let rest: Promise<Chunk> | undefined = turn.chunk; rest;) {
        const chunk: Chunk = await rest;
        const isLast = chunk.next >= turn.to || chunk.failure !== undefined;
        rest = isLast ? undefined : turn.thread.ask({ from: chunk.next, to: turn.to });
        if (isLast) assign(turn.thread);
        yield chunk;
        if (chunk.failure !== undefined) return;
        rowsPerTurn = rowsLike(chunk);
      }
    }
  }

  /** Also while they are at work. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

interface Turn {
  readonly thread: Thread;
  readonly to: number;
  readonly chunk: Promise<Chunk>;
}

/** So many of the same size fill a chunk. */
function rowsLike({ bytes, from, next }: Chunk): number {
  return Math.max(1, Math.min(MOST_ROWS_PER_TURN, Math.floor((CHUNK_BYTES * (next - from)) / bytes.length)));
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
    // Whoever waits for it sees the error; of what nobody waits for any more it is no news.
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
