import type { TestSystem } from '../system/test-system.js';
import type { Fault } from './fault.js';

const APART_MS = 30_000;

/** Another control plane works on the same jobs, with its clock ahead or behind. No lease may end, or last, by that clock. */
function clocksApart(aheadMs: number): Fault {
  return {
    name: `two control planes have clocks 30 s apart, and one is ${aheadMs > 0 ? 'ahead' : 'behind'}`,
    prepare: (system) => system.addControlPlane(aheadMs),
    strike: (system, jobId) =>
      system
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
  return rows.map(() => 'its lease was given before the job was posted, or later than now');
}

/** The same, and the agent dies: the other one takes over. */
function clocksApartAndDeath(aheadMs: number): Fault {
  const { name, prepare, ...rest } = clocksApart(aheadMs);
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

export const CLOCKS_APART: readonly Fault[] = [
  clocksApart(APART_MS),
  clocksApart(-APART_MS),
  clocksApartAndDeath(APART_MS),
  clocksApartAndDeath(-APART_MS),
];
