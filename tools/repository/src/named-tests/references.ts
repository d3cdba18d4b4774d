import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { conformanceOf, readReference, SECTIONS } from '../conformance/check-conformance.js';
import { FINDINGS_PAGE, parseFindings } from './findings.js';
import type { NamedTestReference } from './named-tests.js';

/** Reads the tests that the conformance page and the security findings name. */
export async function namedTestReferences(root: string): Promise<readonly NamedTestReference[]> {
  const { rows } = await conformanceOf(root, readReference(root), SECTIONS);
  return [
    ...rows.flatMap(({ unit, row }) => row.tests.map((test) => ({ ...test, by: `statement ${unit.id}` }))),
    ...parseFindings(readFindings(root)).findings.flatMap(({ tests }) => tests),
  ];
}

/**
 * Checks docs/security/findings.md.
 * @returns the number of findings
 * @throws Error if a finding is open, has no tests or names a missing file, or if a section is invalid
 */
export async function findingsHold(root: string): Promise<string> {
  const { findings, faults: invalid } = parseFindings(readFindings(root));
  const missing = findings
    .flatMap(({ tests }) => tests)
    .filter(({ file }) => !existsSync(join(root, file)))
    .map(({ by, file }) => `${by}: expected the file of a test, found no ${file}`);
  const faults = [...invalid, ...missing];
  if (faults.length > 0) throw new Error(faults.map((fault) => `${FINDINGS_PAGE}: ${fault}`).join('\n'));
  return `${findings.length} findings`;
}

function readFindings(root: string): string {
  return readFileSync(join(root, FINDINGS_PAGE), 'utf8');
}
