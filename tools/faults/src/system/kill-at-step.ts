/**
 * Preload module for an agent (`node --import`). It kills the process with SIGKILL when a job reaches the
 * step whose name is in a file. The environment variable `FAULTS_STEP_FILE` has the path of the file. The
 * module removes the file first, so that the next process of the agent survives.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, rmSync } from 'node:fs';

const file = process.env['FAULTS_STEP_FILE'];

if (file !== undefined) {
  subscribe('understudy.sync.step', (message) => {
    const { step } = message as { step: string };
    if (wanted(file) !== step) return;
    rmSync(file, { force: true });
    process.kill(process.pid, 'SIGKILL');
  });
}

function wanted(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // no step is selected
  }
}
