import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The text that the program reads from its standard input. */
  readonly input?: string;
}

/**
 * Runs a program and waits for its end.
 * @returns the standard output, at most 64 MiB
 * @throws Error with the output of the program if it fails
 */
export function run(program: string, args: readonly string[], options: RunOptions = {}): string {
  const done = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
  if (done.error) throw done.error;
  if (done.status !== 0)
    throw new Error(
      `${done.stdout}${done.stderr}`.trim() || `${basename(program)} exited with ${String(done.status)}`,
    );
  return done.stdout;
}

/**
 * Runs a program of node_modules/.bin.
 * @returns an empty text, because a step of `npm run check` that only runs a program has no summary
 * @throws Error with the output of the program if it fails
 */
export function tool(
  root: string,
  name: string,
  args: readonly string[],
  folder = '.',
  env: NodeJS.ProcessEnv = process.env,
): string {
  run(join(root, 'node_modules/.bin', name), args, { cwd: join(root, folder), env });
  return '';
}

/** Runs a built program of this repository. @returns what it prints */
export function printed(root: string, program: string, ...args: readonly string[]): string {
  return run(process.execPath, [join(root, program), ...args]);
}

/** Formats a page as `npm run format` does. */
export function formatted(root: string, page: string, text: string): string {
  return run(join(root, 'node_modules/.bin/oxfmt'), ['--stdin-filepath', page], { cwd: root, input: text });
}
