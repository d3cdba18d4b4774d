import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../check/formatted.js';
import { conformanceFaults } from './check-conformance.js';
import { conformancePage } from './conformance-page.js';
import { REQUIREMENTS } from './requirements.js';

const PAGE = 'docs/conformance.md';

/** Writes the page anew. */
export function writeConformancePage(root: string): void {
  writeFileSync(join(root, PAGE), formatted(root, PAGE, conformancePage(root)));
}

/** @throws Error when requirements and tests do not fit each other, or the committed page is not what they give */
export async function conformanceHolds(root: string): Promise<string> {
  const faults = conformanceFaults(root);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  if (readFileSync(join(root, PAGE), 'utf8') !== formatted(root, PAGE, conformancePage(root)))
    throw new Error(`${PAGE} is not what the requirements give`);
  return `${REQUIREMENTS.size} sentences`;
}
