import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** As `npm run format` leaves a page, so that both checks agree. */
export function formatted(root: string, page: string, text: string): string {
  const prettier = join(root, 'node_modules/.bin/prettier');
  const done = spawnSync(prettier, ['--stdin-filepath', page], {
    cwd: root,
    encoding: 'utf8',
    input: text,
    maxBuffer: 1 << 26,
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}
