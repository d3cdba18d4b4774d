import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatorsPage } from './generators-page.js';

const PAGE = 'docs/generators.md';

/** Writes the page anew. */
export function writeGeneratorsPage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root));
}

/** @throws Error when the committed page is not what the registry gives */
export async function generatorsPageIsFresh(root: string): Promise<string> {
  const page = formatted(root);
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is not what the registry gives`);
  return `${page.split('\n').length} lines`;
}

/** As `npm run format` leaves it, so that both checks agree. */
function formatted(root: string): string {
  const prettier = join(root, 'node_modules/.bin/prettier');
  const done = spawnSync(prettier, ['--stdin-filepath', PAGE], {
    cwd: root,
    encoding: 'utf8',
    input: generatorsPage(),
    maxBuffer: 1 << 26,
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout;
}
