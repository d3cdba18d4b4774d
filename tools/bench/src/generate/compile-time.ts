import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { type Spread, spreadOf } from '../spread.js';

export interface CompileTimeResult {
  readonly generators: 100;
  /** The first compile of a new thread, its code not yet run: once a thread, one for each round. */
  readonly cold_ms: Spread;
  /** Later compiles of the same threads, nothing kept between them. */
  readonly warm_ms: Spread;
}

/** Compiles a schema of 100 generators again and again, in a new thread each round. */
export async function compileTime(rounds: number): Promise<CompileTimeResult> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const thread = new Worker(join(import.meta.dirname, 'compile-time-thread.js'));
    const [[first, ...later]] = (await once(thread, 'message')) as [[number, ...number[]]];
    await thread.terminate();
    cold.push(first);
    warm.push(...later);
  }
  return { generators: 100, cold_ms: spreadOf(cold), warm_ms: spreadOf(warm) };
}
