/**
 * Preloaded into an agent (`node --import`): ends the process by SIGKILL when a job comes to the step that stands in the file
 * that `FAULTS_STEP_FILE` names. The file goes first, so that the next process lives.
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
    return undefined; // nobody is to die
  }
}
