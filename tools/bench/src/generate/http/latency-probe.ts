import { setTimeout as pause } from 'node:timers/promises';

import { type Summary, summaryOf } from '../../summary.js';

const PAUSE_MS = 5;

/** Sends small requests one after another until `work` has ended. @returns latencies in milliseconds */
export async function latencyDuring(url: string, work: Promise<unknown>): Promise<Summary> {
  let working = true;
  const latencies: number[] = [];
  const asking = async (): Promise<void> => {
    while (working) {
      const started = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`GET ${url} returned ${response.status}`);
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
  return summaryOf(latencies);
}
