import { waitUntilReady } from '@understudy/local-system';

import { SOURCE_DATABASE, TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import { journalFaults } from './journal-faults.js';
import { leftovers } from './leftovers.js';

const CLEAN_WITHIN_MS = 120_000;

/** Waits until nothing is left on the servers and in the journals. @returns one sentence for each leftover */
export async function remainingLeftovers(system: TestSystem): Promise<string[]> {
  let things: string[] = [];
  const check = async () => {
    await system.up(); // a killed process can take until now to die
    things = [
      ...(await leftovers(system.target, TARGET_DATABASE)).map((thing) => `on the target: ${thing}`),
      ...(await leftovers(system.source, SOURCE_DATABASE)).map((thing) => `on the source: ${thing}`),
      ...(await Promise.all(system.agentStates.map(journalFaults)))
        .flat()
        .map((thing) => `in a journal: ${thing}`),
    ];
    if (things.length > 0) throw new Error('there are leftovers');
  };
  return waitUntilReady(check, { timeoutMs: CLEAN_WITHIN_MS }).then(
    () => [],
    () => things.map((thing) => `left behind after ${CLEAN_WITHIN_MS / 1000} s ${thing}`),
  );
}
