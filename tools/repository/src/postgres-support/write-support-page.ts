import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { declaredSupport, supportFaults } from './declared-support.js';
import { supportPage } from './support-page.js';

const PAGE = 'docs/reference/postgres-support.md';

/** Generates and writes the page. */
export function writeSupportPage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root, PAGE, supportPage(root)));
}

/**
 * Checks the committed page.
 * @returns the number of its rows
 * @throws Error if `supportFaults` finds a problem, or if the page differs from the generated one
 */
export async function supportPageHolds(root: string): Promise<string> {
  const faults = supportFaults(root);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (readFileSync(join(root, PAGE), 'utf8') !== formatted(root, PAGE, supportPage(root)))
    throw new Error(`${PAGE} is outdated; run npm run generate`);
  return `${declaredSupport(root).length} rows`;
}
