import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BuiltinLibrary } from '@understudy/builtin-models';
import { builtinLibrary } from '@understudy/builtin-models/node';
import { compileSchema } from '@understudy/generator';
import {
  cardRule,
  type ColumnFacts,
  ibanRule,
  type Kind,
  NATIONAL_ID_RULES,
} from '@understudy/personal-data';

/** A column and the label that a human reader would give it. */
export interface LabelledColumn extends ColumnFacts {
  /**
   * `none` means that the column is not personal. `either` means that people would disagree, so any result is
   * ignored.
   */
  readonly label: Kind | 'none' | 'either';
}

/**
 * The parts of the labelled columns. `held-out` was written before the detection was tuned, and is never used
 * for tuning.
 */
export const SAMPLE_PARTS = ['held-out', 'tuning', 'chinook', 'northwind'] as const;
export type SamplePart = (typeof SAMPLE_PARTS)[number];

// The folder is two levels up, both from src/detection and from dist/detection.
const FOLDER = join(import.meta.dirname, '..', '..', 'assets', 'labelled-columns');
const VALUES = 60;

/**
 * Returns the labelled columns of a part. Their values are generated with seed 1, so they are the same on
 * every machine.
 */
export function readLabelledColumns(part: SamplePart): readonly LabelledColumn[] {
  const library = builtinLibrary();
  const columns = readFileSync(join(FOLDER, `${part}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => columnOf(line, library));
  const names = new Map<string, string[]>();
  for (const { table, column } of columns) names.set(table, [...(names.get(table) ?? []), column]);
  return columns.map((column) => ({
    ...column,
    siblings: (names.get(column.table) ?? []).filter((name) => name !== column.column),
  }));
}

function columnOf(line: string, library: BuiltinLibrary): LabelledColumn {
  const [table = '', column = '', type = '', label = 'none', ...rest] = line.split(' | ');
  return {
    table,
    column,
    type,
    label: label as LabelledColumn['label'],
    values: valuesOf(rest.join(' | '), library),
  };
}

function valuesOf(written: string, { models, assets, registry }: BuiltinLibrary): readonly string[] {
  if (written === 'null') return [];
  if (written.startsWith('[')) return (JSON.parse(written) as unknown[]).map(String);
  const plan = compileSchema(
    { generators: { value: definitionOf(written) }, output: ['value'] },
    { models, assets, registry, nowMs: Date.UTC(2026, 0, 1) },
  );
  const cursor = plan.open(1);
  return Array.from({ length: VALUES }, (_, row) => {
    cursor.moveTo(row);
    return String(cursor.values[0]);
  });
}

/**
 * Returns the generator definition for a text. `@card`, `@iban:DE` and `@id:FR` stand for numbers with check
 * digits. Any other text is a definition in JSON or the id of a model.
 */
function definitionOf(written: string): unknown {
  if (written.startsWith('{')) return JSON.parse(written);
  const [macro = '', country = ''] = written.split(':');
  if (macro === '@card') return cardRule(false)['generator'];
  if (macro === '@iban') return ibanRule(country, false)['generator'];
  if (macro === '@id') return NATIONAL_ID_RULES[country]?.['generator'];
  return { type: 'model', source: written };
}
