import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, Section } from './row.js';
import { unitsOf, type Unit } from './units.js';
import { COMPOSITIONS } from './sections/compositions.js';
import { ENDPOINTS } from './sections/endpoints.js';
import { GENERATORS } from './sections/generators.js';
import { RESOURCES } from './sections/resources.js';
import { RULES } from './sections/rules.js';
import { SAMPLERS } from './sections/samplers.js';

export const REFERENCE = 'docs/reference.md';
/** The hash of the API reference (docs/reference.md). Nobody may edit the reference in this repository. */
export const REFERENCE_SHA256 = 'e012eede154ea8b83c15cee6dd24d285c592957acff938b6296060ba54aca207';

export interface UnitWithRow {
  readonly unit: Unit;
  readonly row: Row;
}

export interface Conformance {
  /** The units that have a row, in the order of the reference. */
  readonly rows: readonly UnitWithRow[];
  /**
   * One line for each unit without a row, each row without a unit, and each test whose file does not exist.
   */
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

/** Pairs each unit of the reference with the row of the same section that quotes its text. */
export async function conformanceOf(
  root: string,
  reference: string,
  sections: readonly Section[],
): Promise<Conformance> {
  const faults: string[] = [];
  const waiting = new Map<string, Row[]>();
  for (const { number, rows } of sections)
    for (const row of rows) {
      const key = keyOf(number, row.statement);
      waiting.set(key, [...(waiting.get(key) ?? []), row]);
    }
  const rows: UnitWithRow[] = [];
  for (const unit of unitsOf(reference)) {
    const row = waiting.get(keyOf(sectionOf(unit.id), unit.text))?.shift();
    if (row === undefined) faults.push(`${unit.id} has no row: ${unit.text}`);
    else rows.push({ unit, row });
  }
  for (const [key, left] of waiting)
    for (const { statement } of left)
      faults.push(
        `a row of section ${sectionOf(key)} quotes a statement that the reference does not have: ${statement}`,
      );
  for (const { unit, row } of rows)
    for (const { file } of row.tests)
      if (!existsSync(join(root, file)))
        faults.push(`${unit.id} names a test in ${file}, which does not exist`);
  return { rows, faults };
}

export function sectionOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

function keyOf(section: string, statement: string): string {
  return `${section}/${statement}`;
}

/** All sections, in the order of the reference. */
export const SECTIONS: readonly Section[] = [
  ...RESOURCES,
  ...GENERATORS,
  ...SAMPLERS,
  ...COMPOSITIONS,
  ...ENDPOINTS,
  ...RULES,
];
