import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';

/** A file that `npm run generate` writes from the code, from tests or from other pages. */
export interface Page {
  /** The path from the root of the repository. */
  readonly path: string;
  /** Returns the text before it is formatted. */
  text(root: string): string;
}

/** Generates a page, formats it and writes it. */
export function writePage(root: string, { path, text }: Page): void {
  writeFileSync(join(root, path), formatted(root, path, text(root)));
}

/**
 * Checks that a committed page is up to date.
 * @returns the number of its lines
 * @throws Error if the page is missing or differs from the generated one
 */
export async function pageIsFresh(root: string, { path, text }: Page): Promise<string> {
  const page = formatted(root, path, text(root));
  if (readFileSync(join(root, path), 'utf8') !== page)
    throw new Error(`${path} is outdated; run npm run generate`);
  return `${page.split('\n').length} lines`;
}
