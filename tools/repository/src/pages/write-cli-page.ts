import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';

const PAGE = 'docs/reference/cli.md';

/** Generates docs/reference/cli.md and writes it. */
export function writeCliPage(root: string): void {
  writeFileSync(join(root, PAGE), cliPage(root));
}

/**
 * Checks that the committed page is up to date.
 * @returns the number of its lines
 * @throws Error if the page differs from the generated one
 */
export async function cliPageIsFresh(root: string): Promise<string> {
  const page = cliPage(root);
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is outdated; run npm run generate`);
  return `${page.split('\n').length} lines`;
}

/** Runs the built program of apps/cli that prints the page. */
function cliPage(root: string): string {
  const program = join(root, 'apps/cli/dist/print-manual.js');
  const done = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr || 'the command line is not built: npx tsc -b');
  return formatted(root, PAGE, done.stdout);
}
