import type { TestSystem } from '../system/test-system.js';
import type { Fault } from './fault.js';

const OFFSET_MS = 30_000;

/**
 * Adds a second control plane whose clock is ahead or behind. That clock must have no effect on the start and
 * the end of leases.
 */
function wrongClock(aheadMs: number): Fault {
  return {
    name: `two control planes have clocks 30 s apart, and one is ${aheadMs > 0 ? 'ahead' : 'behind'}`,
    prepare: (system) => system.addControlPlane(aheadMs),
    strike: (system, jobId) =>
      system.api
        .ended(jobId)
        .then(() => undefined)
        .finally(() => system.removeControlPlane()),
    endings: ['completed'],
    maxAttempts: 1,
    moreProblems: leasedAtAnotherTime,
  };
}

async function leasedAtAnotherTime(system: TestSystem, jobId: string): Promise<string[]> {
  const rows = await system.controlRows(
    `SELECT 1 FROM sync_jobs WHERE id = $1 AND leased_at NOT BETWEEN created_at AND now()`,
    [jobId],
  );
  return rows.map(() => 'its lease began before the job was posted, or in the future');
}

/** Returns the fault of `wrongClock`, during which the agent also dies and the other agent takes over. */
function wrongClockAndDeath(aheadMs: number): Fault {
  const { name, prepare, ...rest } = wrongClock(aheadMs);
  return {
    ...rest,
    name: `${name}, and the agent is killed and stays dead`,
    prepare: async (system) => {
      await prepare?.(system);
      system.dieAt('chunk_committed');
    },
    maxAttempts: 2,
  };
}

export const WRONG_CLOCKS: readonly Fault[] = [
  wrongClock(OFFSET_MS),
  wrongClock(-OFFSET_MS),
  wrongClockAndDeath(OFFSET_MS),
  wrongClockAndDeath(-OFFSET_MS),
];
