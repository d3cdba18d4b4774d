import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { once } from 'node:events';

import { say } from '../bench-environment.js';
import { ratios, type Spread, spreadOf } from '../spread.js';

export interface ScalingResult {
  readonly records: number;
  readonly one_thread_ms: Spread;
  readonly two_threads_ms: Spread;
  /** one_thread_ms / two_threads_ms of each round; 2 is perfect. */
  readonly ratio: Spread;
}

/** What a thread is asked for. */
export interface RowRange {
  readonly from: number;
  readonly count: number;
}

const RECORDS = 600_000;

/** The same records by one thread, and by two with half of the rows each, in turn. */
export async function scaling(rounds: number): Promise<ScalingResult> {
  const script = join(import.meta.dirname, 'scaling-thread.js');
  const threads = [new Worker(script), new Worker(script)] as const;
  const half = RECORDS / 2;
  const one: number[] = [];
  const two: number[] = [];
  try {
    await Promise.all(threads.map((thread) => ask(thread, { from: 0, count: half }))); // warm
    for (let round = 0; round < rounds; round++) {
      one.push(await timed(ask(threads[0], { from: 0, count: RECORDS })));
      two.push(
        await timed(
          ask(threads[0], { from: 0, count: half }),
          ask(threads[1], { from: half, count: RECORDS - half }),
        ),
      );
      say(
        `round ${round + 1}: one thread ${one.at(-1)?.toFixed(0)} ms, two threads ${two.at(-1)?.toFixed(0)} ms`,
      );
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return {
    records: RECORDS,
    one_thread_ms: spreadOf(one),
    two_threads_ms: spreadOf(two),
    ratio: ratios(one, two),
  };
}

async function timed(...work: readonly Promise<unknown>[]): Promise<number> {
  const started = performance.now();
  await Promise.all(work);
  return performance.now() - started;
}

async function ask(thread: Worker, range: RowRange): Promise<void> {
  thread.postMessage(range);
  await once(thread, 'message');
}
