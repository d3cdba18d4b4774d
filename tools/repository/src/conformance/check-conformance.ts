import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REMARKS, type Remark, type State } from './remarks.js';
import { readNumberedTests, type NumberedTest } from './numbered-titles.js';
import { unitsOf, type Unit } from './units.js';

export const REFERENCE = 'docs/reference.md';
/** The hash of the API reference (docs/reference.md). Nobody may edit the reference in this repository. */
export const REFERENCE_SHA256 = 'e012eede154ea8b83c15cee6dd24d285c592957acff938b6296060ba54aca207';

/** A unit of the reference, with its note and the tests that show it. */
export interface Statement {
  readonly unit: Unit;
  readonly state: State;
  readonly note?: string;
  readonly tests: readonly NumberedTest[];
}

export interface Conformance {
  /** The units in the order of the reference. */
  readonly statements: readonly Statement[];
  /** One line for each statement without a test, and for each number that no statement has. */
  readonly faults: readonly string[];
}

/**
 * Reads the reference.
 * @throws Error if its hash differs from the recorded one
 */
export function readReference(root: string): string {
  const text = readFileSync(join(root, REFERENCE), 'utf8');
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== REFERENCE_SHA256)
    throw new Error(`${REFERENCE} must have the SHA-256 ${REFERENCE_SHA256}, but has ${found}: restore it`);
  return text;
}

/**
 * Returns the statements of the reference with the tests of this repository.
 * @throws Error if the reference was edited, a statement has no test, or a number has no statement
 */
export function statementsOf(root: string): readonly Statement[] {
  const { statements, faults } = conformanceOf(readReference(root), REMARKS, readNumberedTests(root));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return statements;
}

/** Joins each unit of the reference with the note and the tests that have its number. */
export function conformanceOf(
  reference: string,
  notes: Readonly<Record<string, Remark>>,
  numbered: readonly NumberedTest[],
): Conformance {
  const statements = unitsOf(reference).map((unit): Statement => {
    const tests = numbered.filter((test) => test.statements.includes(unit.id));
    return { state: 'covered', ...notes[unit.id], unit, tests };
  });
  const ids = new Set(statements.map(({ unit }) => unit.id));
  const missing = (all: readonly string[]): string[] => all.filter((id) => !ids.has(id));
  const faults = [
    ...statements.flatMap(faultsOf),
    ...missing(Object.keys(notes)).map((id) => `a note has the number ${id}, which no statement has`),
    ...numbered.flatMap(({ file, statements: shown, title }) =>
      missing(shown).map((id) => `a title in ${file} has the number ${id}, which no statement has: ${title}`),
    ),
  ];
  return { statements, faults };
}

function faultsOf({ unit: { id, text }, state, tests }: Statement): string[] {
  if (state === 'not testable')
    return tests.map(({ file, title }) => `${id} is not testable, but ${file} has its number: ${title}`);
  return tests.length === 0 && state !== 'planned' ? [`${id} has no test: ${text}`] : [];
}
