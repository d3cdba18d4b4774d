import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
  const done = spawnSync(join(root, 'node_modules/.bin', name), args, {
    cwd: join(root, folder),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env,
  });
  if (done.error) throw done.error;
  if (done.status !== 0)
    throw new Error(`${done.stdout}${done.stderr}`.trim() || `${name} exited with ${String(done.status)}`);
  return '';
}

/** Formats a page as `npm run format` does. */
export function formatted(root: string, page: string, text: string): string {
  const oxfmt = join(root, 'node_modules/.bin/oxfmt');
  const done = spawnSync(oxfmt, ['--stdin-filepath', page], {
    cwd: root,
    encoding: 'utf8',
    input: text,
    maxBuffer: 1 << 26,
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}
