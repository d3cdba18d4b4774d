import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { generatorsPage } from './generators-page.js';

const PAGE = 'docs/generators.md';

/** Writes the page anew. */
export function writeGeneratorsPage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root, PAGE, generatorsPage()));
}

/** @throws Error when the committed page is not what the registry gives */
export async function generatorsPageIsFresh(root: string): Promise<string> {
  const page = formatted(root, PAGE, generatorsPage());
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is not what the registry gives`);
  return `${page.split('\n').length} lines`;
}
