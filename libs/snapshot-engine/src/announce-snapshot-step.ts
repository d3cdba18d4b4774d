import { channel } from 'node:diagnostics_channel';
import { Logger } from '@nestjs/common';
import type { SnapshotStep } from './snapshot-step.js';

const logger = new Logger('SnapshotStep');
const steps = channel('understudy.snapshot.step');

/** Tells of a step in the log, at level debug, and on the diagnostics channel `understudy.snapshot.step` of this process. */
export function announceSnapshotStep(step: SnapshotStep): void {
  logger.debug(step);
  steps.publish({ step });
}
