import { conformanceOf, readReference } from '../conformance/check-conformance.js';
import { SECTIONS } from '../conformance/sections.js';
import { FINDINGS_PAGE, parseFindings, readFindings } from './findings.js';
import type { Reliance } from './named-test-faults.js';

/** The tests that the conformance table and the security findings name. */
export async function reliancesOf(root: string): Promise<readonly Reliance[]> {
  const { rows } = await conformanceOf(root, readReference(root), SECTIONS);
  return [
    ...rows.flatMap(({ unit, row }) => row.tests.map((test) => ({ ...test, by: `statement ${unit.id}` }))),
    ...parseFindings(readFindings(root)).findings.flatMap(({ tests }) => tests),
  ];
}

/** @throws Error when a finding is open or has no tests, or the page does not have its form */
export async function findingsHold(root: string): Promise<string> {
  const { findings, faults } = parseFindings(readFindings(root));
  if (faults.length > 0) throw new Error(faults.map((fault) => `${FINDINGS_PAGE}: ${fault}`).join('\n'));
  return `${findings.length} findings`;
}
