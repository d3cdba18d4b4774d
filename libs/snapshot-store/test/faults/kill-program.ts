import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BucketOptions } from '../../src/bucket.js';

/**
 * Runs the crash program and kills it as soon as it has begun so many things: it dies somewhere in the middle of that one or a little later.
 * @returns what it said it had done
 */
export async function killProgram(
  place: string | BucketOptions,
  task: 'make' | 'remove' | 'endless',
  atBeginningOf: number,
): Promise<string[]> {
  const program = join(__dirname, 'crash-program.mjs');
  const child = spawn(
    process.execPath,
    ['--no-warnings', program, JSON.stringify([place, task, atBeginningOf + 3])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const done: string[] = [];
  let begun = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, name = ''] = line.split(' ');
    if (what === 'done') done.push(name);
    if (what === 'begins' && ++begun === atBeginningOf) child.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return done;
}
