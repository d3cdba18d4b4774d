import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { conformanceOf, readReference } from './check-conformance.js';
import { conformancePage } from './conformance-page.js';
import { REMARKS } from './remarks.js';
import { readNumberedTests } from './numbered-titles.js';

const PAGE = 'docs/reference/conformance.md';

/** Generates docs/reference/conformance.md and writes it. */
export function writeConformancePage(root: string): void {
  writeFileSync(join(root, PAGE), freshPage(root).page);
}

/**
 * Checks the reference, the numbers in the titles of tests, and the committed page.
 * @returns the number of statements
 * @throws Error if the reference was edited, a statement has no test, a number has no statement, or the page is
 * outdated
 */
export async function conformanceHolds(root: string): Promise<string> {
  const { page, count } = freshPage(root);
  if (readFileSync(join(root, PAGE), 'utf8') !== page)
    throw new Error(`${PAGE} is outdated; run npm run generate`);
  return `${count} statements`;
}

function freshPage(root: string): { readonly page: string; readonly count: number } {
  const { statements, faults } = conformanceOf(readReference(root), REMARKS, readNumberedTests(root));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { page: formatted(root, PAGE, conformancePage(statements)), count: statements.length };
}
