import type { RandomStream } from '@understudy/random';

import { fillAgentDisk, lowAgentDisk, invalidEvents, revokeAgent } from './agents.js';
import { CLOCKS_APART } from './clocks.js';
import type { Fault } from './fault.js';
import {
  crashSource,
  crashTarget,
  fillDisk,
  flushRedis,
  killControlPlane,
  killNats,
  killRedis,
} from './services.js';
import { cancel, cancelOrphan, killAgent, killHolder, stopAgent } from './signals.js';
import { DEATHS_AT_STEPS } from './steps.js';

export interface PlannedFault {
  readonly fault: Fault;
  /** Where in an undisturbed job it strikes: 0 its start, 1 its end. */
  readonly share: number;
}

const spread = (fault: Fault, times: number): PlannedFault[] =>
  Array.from({ length: times }, (_, i) => ({ fault, share: (i + 0.5) / times }));

/** The fixed list: every step once, the others at moments spread over a job. */
export const FIXED_FAULTS: readonly PlannedFault[] = [
  ...DEATHS_AT_STEPS.map((fault) => ({ fault, share: 0 })),
  ...spread(killAgent, 5),
  { fault: stopAgent, share: 0.5 },
  { fault: killHolder, share: 0.5 },
  { fault: crashTarget, share: 0.6 },
  { fault: fillDisk, share: 0.4 },
  { fault: fillAgentDisk, share: 0.4 },
  { fault: lowAgentDisk, share: 0 },
  { fault: revokeAgent, share: 0.4 },
  { fault: invalidEvents, share: 0.3 },
  ...CLOCKS_APART.map((fault) => ({ fault, share: 0 })),
  ...spread(cancel, 5),
  { fault: cancelOrphan, share: 0 },
];

const RANDOM_FAULTS: readonly Fault[] = [
  ...DEATHS_AT_STEPS,
  killAgent,
  killAgent,
  killAgent,
  stopAgent,
  stopAgent,
  killHolder,
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
  ...CLOCKS_APART,
  killControlPlane,
  killNats,
  killRedis,
  flushRedis,
];

/** A fault and its moment, drawn. */
export function randomFault(random: RandomStream): PlannedFault {
  const fault = RANDOM_FAULTS[random.below(RANDOM_FAULTS.length)];
  if (fault === undefined) throw new RangeError('a draw out of its bounds');
  return { fault, share: random.float53() };
}
