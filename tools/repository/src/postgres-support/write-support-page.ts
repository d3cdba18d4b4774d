import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/programs.js';
import { declaredSupport, supportFaults } from './declared-support.js';
import { supportPage } from './support-page.js';

const PAGE = 'docs/postgres-support.md';

/** Writes the page anew. */
export function writeSupportPage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root, PAGE, supportPage(root)));
}

/** @throws Error when a schema of the SQL files has no test, or the committed page is not what the tests declare */
export async function supportPageHolds(root: string): Promise<string> {
  const faults = supportFaults(root);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (readFileSync(join(root, PAGE), 'utf8') !== formatted(root, PAGE, supportPage(root)))
    throw new Error(`${PAGE} is not what the tests declare`);
  return `${declaredSupport(root).length} rows`;
}
