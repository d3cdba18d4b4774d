import { channel } from 'node:diagnostics_channel';
import type { EngineLog } from '@understudy/postgres';
import type { ReachStep } from './sync-step.js';

const steps = channel('understudy.sync.step');

/** Tells of each step in the log, at level debug, and on the diagnostics channel `understudy.sync.step` of this process. */
export function announceSteps(log: EngineLog): ReachStep {
  return (step) => {
    log.debug({}, step);
    steps.publish({ step });
  };
}
