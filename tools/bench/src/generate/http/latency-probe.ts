import { setTimeout as pause } from 'node:timers/promises';

import { type Spread, spreadOf } from '../../spread.js';

const PAUSE_MS = 5;

/** Asks for a small answer again and again, one request at a time, until `work` has ended. @returns milliseconds */
export async function latencyDuring(url: string, work: Promise<unknown>): Promise<Spread> {
  let working = true;
  const latencies: number[] = [];
  const asking = async (): Promise<void> => {
    while (working) {
      const started = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
      latencies.push(performance.now() - started);
      await pause(PAUSE_MS);
    }
  };
  await Promise.all([
    work.finally(() => {
      working = false;
    }),
    asking(),
  ]);
  return spreadOf(latencies);
}
