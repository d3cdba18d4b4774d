import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { once } from 'node:events';

import { log } from '../bench-environment.js';
import { ratios, summaryOf } from '../summary.js';

/** Rows that a thread generates. */
export interface RowRange {
  readonly from: number;
  readonly count: number;
}

const RECORDS = 600_000;

/** Generates the same records in one thread, and in two threads with half of the rows each, in turn. */
export async function scaling(rounds: number) {
  const script = join(import.meta.dirname, 'scaling-thread.js');
  const threads = [new Worker(script), new Worker(script)] as const;
  const half = RECORDS / 2;
  const one: number[] = [];
  const two: number[] = [];
  try {
    await Promise.all(threads.map((thread) => generate(thread, { from: 0, count: half }))); // warms up the threads
    for (let round = 0; round < rounds; round++) {
      one.push(await timed(generate(threads[0], { from: 0, count: RECORDS })));
      two.push(
        await timed(
          generate(threads[0], { from: 0, count: half }),
          generate(threads[1], { from: half, count: RECORDS - half }),
        ),
      );
      log(
        `round ${round + 1}: one thread ${one.at(-1)?.toFixed(0)} ms, two threads ${two.at(-1)?.toFixed(0)} ms`,
      );
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return {
    records: RECORDS,
    one_thread_ms: summaryOf(one),
    two_threads_ms: summaryOf(two),
    /** one_thread_ms / two_threads_ms of each round; 2 is perfect. */
    ratio: ratios(one, two),
  };
}

async function timed(...work: readonly Promise<unknown>[]): Promise<number> {
  const started = performance.now();
  await Promise.all(work);
  return performance.now() - started;
}

async function generate(thread: Worker, range: RowRange): Promise<void> {
  thread.postMessage(range);
  await once(thread, 'message');
}
