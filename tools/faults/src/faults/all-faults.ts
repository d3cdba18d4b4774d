import type { RandomStream } from '@understudy/random';

import type { Replaced } from '../system/sample-databases.js';
import { fillAgentDisk, lowAgentDisk, invalidEvents, revokeAgent } from './agents.js';
import { WRONG_CLOCKS } from './clocks.js';
import type { Fault } from './fault.js';
import { dieAt80Percent } from './late-death.js';
import {
  crashSource,
  crashTarget,
  fillDisk,
  flushRedis,
  killControlPlane,
  killNats,
  killRedis,
} from './services.js';
import { cancel, cancelOrphan, killAgent, killSnapshotKeeper, stopAgent } from './signals.js';
import { DEATHS_AT_STEPS } from './steps.js';

export interface PlannedFault {
  readonly fault: Fault;
  /** The kind of job that the fault disturbs. */
  readonly replaced: Replaced;
  /**
   * When the fault is injected, as a share of the duration of an undisturbed job: 0 is its start, 1 its end.
   */
  readonly share: number;
}

const spread = (fault: Fault, times: number): Omit<PlannedFault, 'replaced'>[] =>
  Array.from({ length: times }, (_, i) => ({ fault, share: (i + 0.5) / times }));

const withJob = (replaced: Replaced, planned: readonly Omit<PlannedFault, 'replaced'>[]): PlannedFault[] =>
  planned.map((one) => ({ ...one, replaced }));

const ON_TABLES: readonly Omit<PlannedFault, 'replaced'>[] = [
  ...DEATHS_AT_STEPS.map((fault) => ({ fault, share: 0 })),
  ...spread(killAgent, 5),
  { fault: stopAgent, share: 0.5 },
  { fault: killSnapshotKeeper, share: 0.5 },
  { fault: crashTarget, share: 0.6 },
  { fault: fillDisk, share: 0.4 },
  { fault: fillAgentDisk, share: 0.4 },
  { fault: lowAgentDisk, share: 0 },
  { fault: revokeAgent, share: 0.4 },
  { fault: invalidEvents, share: 0.3 },
  ...WRONG_CLOCKS.map((fault) => ({ fault, share: 0 })),
  ...spread(cancel, 5),
  { fault: cancelOrphan, share: 0 },
];

const ON_DATABASES: readonly Omit<PlannedFault, 'replaced'>[] = [
  ...DEATHS_AT_STEPS.map((fault) => ({ fault, share: 0 })),
  { fault: dieAt80Percent, share: 0.8 },
  { fault: stopAgent, share: 0.5 },
  { fault: crashTarget, share: 0.6 },
  { fault: fillDisk, share: 0.4 },
  ...spread(cancel, 2),
  { fault: cancelOrphan, share: 0 },
];

/**
 * The fixed list: a death of the agent at each step, and the other faults at times that are distributed over
 * the job.
 */
export const FIXED_FAULTS = [...withJob('tables', ON_TABLES), ...withJob('database', ON_DATABASES)];

const RANDOM_FAULTS: readonly Fault[] = [
  ...DEATHS_AT_STEPS,
  killAgent,
  killAgent,
  killAgent,
  stopAgent,
  stopAgent,
  killSnapshotKeeper,
  cancel,
  cancel,
  cancelOrphan,
  crashTarget,
  crashTarget,
  crashSource,
  fillDisk,
  fillAgentDisk,
  fillAgentDisk,
  lowAgentDisk,
  revokeAgent,
  revokeAgent,
  invalidEvents,
  invalidEvents,
  ...WRONG_CLOCKS,
  killControlPlane,
  killNats,
  killRedis,
  flushRedis,
];

/** Chooses a random fault, a random kind of job and a random time. */
export function randomFault(random: RandomStream): PlannedFault {
  const fault = RANDOM_FAULTS[random.below(RANDOM_FAULTS.length)];
  if (fault === undefined) throw new RangeError('the random index is out of range');
  return { fault, share: random.float53(), replaced: random.below(2) === 0 ? 'tables' : 'database' };
}
