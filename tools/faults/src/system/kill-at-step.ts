/**
 * Preload module for an agent (`node --import`). It kills the process with SIGKILL, or holds it, when its work reaches the
 * step that a file describes. The environment variable `FAULTS_STEP_FILE` has the path of the file. The module removes or
 * renames the file first, so that the next process of the agent survives.
 */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';

/** The content of the file. */
export interface WantedStep {
  readonly step: string;
  /** How many times this process must reach the step. */
  readonly times: number;
  /** True to hold the process instead of killing it, until the renamed file is removed. */
  readonly isHeld: boolean;
}

const file = process.env['FAULTS_STEP_FILE'];
const LONGEST_HOLD_MS = 20_000;

if (file !== undefined) {
  const reached = new Map<string, number>();
  for (const kind of ['sync', 'snapshot'])
    subscribe(`understudy.${kind}.step`, (message) => {
      const { step } = message as { step: string };
      const wanted = readWanted(file);
      if (wanted?.step !== step) return;
      const times = (reached.get(step) ?? 0) + 1;
      reached.set(step, times);
      if (times < wanted.times) return;
      reached.clear();
      if (wanted.isHeld) hold(file);
      else kill(file);
    });
}

function kill(path: string): void {
  rmSync(path, { force: true });
  process.kill(process.pid, 'SIGKILL');
}

function hold(path: string): void {
  const held = `${path}.held`;
  renameSync(path, held);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const until = Date.now() + LONGEST_HOLD_MS;
  while (existsSync(held) && Date.now() < until) Atomics.wait(pause, 0, 0, 20);
}

function readWanted(path: string): WantedStep | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as WantedStep;
  } catch {
    return undefined; // no step is selected
  }
}
