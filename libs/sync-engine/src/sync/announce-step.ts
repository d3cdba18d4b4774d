import { channel } from 'node:diagnostics_channel';
import { Logger } from '@nestjs/common';
import type { SyncStep } from './sync-step.js';

const logger = new Logger('SyncStep');
const steps = channel('understudy.sync.step');

/** Tells of a step in the log, at level debug, and on the diagnostics channel `understudy.sync.step` of this process. */
export function announceStep(step: SyncStep): void {
  logger.debug(step);
  steps.publish({ step });
}
