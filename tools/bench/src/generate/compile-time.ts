import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { summaryOf } from '../summary.js';

/** Compiles a schema of 100 generators repeatedly, in a new thread each round. */
export async function compileTime(rounds: number) {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const thread = new Worker(join(import.meta.dirname, 'compile-time-thread.js'));
    const [[first, ...later]] = (await once(thread, 'message')) as [[number, ...number[]]];
    await thread.terminate();
    cold.push(first);
    warm.push(...later);
  }
  return {
    generators: 100,
    /** Time of the first compile in a new thread, with cold code. One sample per round. */
    cold_ms: summaryOf(cold),
    /** Time of later compiles in the same threads. They reuse the loaded models, but nothing else. */
    warm_ms: summaryOf(warm),
  };
}
