/**
 * Preload module for an agent (`node --import`). It appends each step of a job to the file that
 * `FAULTS_STEP_LOG` names. At the step whose name is in the file of `FAULTS_HOLD_FILE`, it stops the process
 * until that file is removed, so that a test can cut the link exactly there.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';

const log = process.env['FAULTS_STEP_LOG'];
const hold = process.env['FAULTS_HOLD_FILE'];
const LONGEST_HOLD_MS = 20_000;

if (log !== undefined && hold !== undefined) {
  subscribe('understudy.sync.step', (message) => {
    const { step } = message as { step: string };
    appendFileSync(log, `${step}\n`);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const until = Date.now() + LONGEST_HOLD_MS;
    while (heldStep(hold) === step && Date.now() < until) Atomics.wait(pause, 0, 0, 20);
  });
}

function heldStep(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // no step is selected
  }
}
