import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';

const PAGE = 'docs/cli.md';

/** Writes the page anew. */
export function writeCliPage(root: string): void {
  writeFileSync(join(root, PAGE), cliPage(root));
}

/** @throws Error when the committed page is not what the commands say of themselves */
export async function cliPageIsFresh(root: string): Promise<string> {
  const page = cliPage(root);
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is not what the commands of apps/cli say of themselves`);
  return `${page.split('\n').length} lines`;
}

/** Asks the built command line. */
function cliPage(root: string): string {
  const program = join(root, 'apps/cli/dist/print-manual.js');
  const done = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr || 'the command line is not built: npx tsc -b');
  return formatted(root, PAGE, done.stdout);
}
