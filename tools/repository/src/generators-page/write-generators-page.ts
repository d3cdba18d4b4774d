import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { generatorsPage } from './generators-page.js';

const PAGE = 'docs/reference/generators.md';

/** Generates docs/reference/generators.md and writes it. */
export function writeGeneratorsPage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root, PAGE, generatorsPage()));
}

/**
 * Checks that the committed page is up to date.
 * @returns the number of its lines
 * @throws Error if the page is missing or differs from the generated one
 */
export async function generatorsPageIsFresh(root: string): Promise<string> {
  const page = formatted(root, PAGE, generatorsPage());
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is outdated; run npm run generate`);
  return `${page.split('\n').length} lines`;
}
