import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { conformanceOf, readReference, SECTIONS } from './check-conformance.js';
import { conformancePage } from './conformance-page.js';

const PAGE = 'docs/reference/conformance.md';

/** Generates docs/reference/conformance.md and writes it. */
export async function writeConformancePage(root: string): Promise<void> {
  writeFileSync(join(root, PAGE), (await freshPage(root)).page);
}

/**
 * Checks the reference, the rows and the committed page.
 * @returns the number of statements
 * @throws Error if the reference was edited, a unit and its row do not match, or the page is outdated
 */
export async function conformanceHolds(root: string): Promise<string> {
  const { page, count } = await freshPage(root);
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is outdated; run npm run generate`);
  return `${count} statements`;
}

async function freshPage(root: string): Promise<{ readonly page: string; readonly count: number }> {
  const { rows, faults } = await conformanceOf(root, readReference(root), SECTIONS);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { page: formatted(root, PAGE, conformancePage(SECTIONS, rows)), count: rows.length };
}
