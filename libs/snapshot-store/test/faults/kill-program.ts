import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BucketOptions } from '../../src/storage/bucket/backend.js';

export interface Killed {
  /** False if the program ended before it was killed. */
  readonly killed: boolean;
  /** The last line that it printed: `begins writing`, `done writing`, … */
  readonly lastLine: string | undefined;
}

/** Runs the crash program until it kills itself at the nth call that changes the file system. */
export async function killAtCall(root: string, call: number): Promise<Killed> {
  return run(root, 'makeAndRemove', ['--import', join(__dirname, 'kill-at-call.mjs')], String(call));
}

/**
 * Runs the crash program and kills it when it prints `line`.
 * @param times how often the program prints `line` before it is killed
 */
export async function killAtLine(
  location: BucketOptions,
  task: 'makeAndRemove' | 'endless',
  line: string,
  times = 1,
): Promise<Killed> {
  let left = times;
  return run(location, task, [], undefined, (printed) => printed === line && --left === 0);
}

async function run(
  location: string | BucketOptions,
  task: string,
  options: readonly string[],
  callNumber?: string,
  isTime: (line: string) => boolean = () => false,
): Promise<Killed> {
  const program = join(__dirname, 'crash-program.mjs');
  const args = ['--no-warnings', ...options, program, JSON.stringify([location, task])];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KILL_AT_CALL: callNumber },
  });
  const ended = once(child, 'exit');
  let lastLine: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    lastLine = line;
    if (isTime(line)) child.kill('SIGKILL');
  }
  const [code, signal] = (await ended) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error('the crash program failed before it was killed');
  return { killed: signal === 'SIGKILL', lastLine };
}
