import { builtinModels } from '@understudy/builtin-models/node';
import { type Kind, WordLists } from '@understudy/personal-data';

import { evaluate, type Evaluation, type Miss, precision, recall, type Score } from './evaluate.js';
import { readLabelledColumns, SAMPLE_PARTS, type SamplePart } from './labelled-columns.js';

type DetectionResult = ReadonlyMap<SamplePart, Evaluation>;

/**
 * Detects personal columns in each part of the data set of labelled columns, and compares the result with the
 * labels.
 */
export function benchDetection(): DetectionResult {
  const lists = WordLists.read(builtinModels.locales(), (name) => builtinModels.readAsset(name));
  return new Map(SAMPLE_PARTS.map((part) => [part, evaluate(readLabelledColumns(part), lists)]));
}

const PART_WORDS: Readonly<Record<SamplePart, string>> = {
  'held-out': 'held out: written before the detection was tuned, and never used for tuning',
  tuning: 'tuned on: shows only how well the detection was fitted to these columns',
  chinook: 'Chinook: all columns of the sample database, with generated values',
  northwind: 'Northwind: all columns of the sample database, with generated values',
};

export function describeDetection(result: DetectionResult): string {
  return [...result].map(([part, evaluation]) => partText(PART_WORDS[part], evaluation)).join('\n');
}

export function detectionJson(result: DetectionResult): unknown {
  return Object.fromEntries(
    [...result].map(([part, { columns, personal, kinds, misses }]) => [
      part,
      {
        columns,
        personal: scoreJson(personal),
        kinds: Object.fromEntries(askedKinds(kinds).map(([kind, score]) => [kind, scoreJson(score)])),
        misses: misses.map(({ column, found }) => ({
          table: column.table,
          column: column.column,
          label: column.label,
          found,
        })),
      },
    ]),
  );
}

function partText(words: string, { columns, personal, kinds, misses }: Evaluation): string {
  const rows: readonly (readonly [string, Score])[] = [['any rule', personal], ...askedKinds(kinds)];
  return [
    `${words} (${columns} columns)`,
    `  ${'kind'.padEnd(18)}${'precision'.padStart(10)}${'recall'.padStart(10)}${'right'.padStart(8)}${'wrong'.padStart(8)}${'missed'.padStart(8)}`,
    ...rows.map(
      ([name, score]) =>
        `  ${name.padEnd(18)}${percent(precision(score)).padStart(10)}${percent(recall(score)).padStart(10)}${String(score.right).padStart(8)}${String(score.wrong).padStart(8)}${String(score.missed).padStart(8)}`,
    ),
    ...misses.map(missText),
    '',
  ].join('\n');
}

function missText({ column, found }: Miss): string {
  return `  ${column.table}.${column.column}: ${found}, labelled ${column.label}`;
}

/** Selects each kind that at least one column has as its label or as its detected kind. */
function askedKinds(kinds: Evaluation['kinds']): [Kind, Score][] {
  return [...kinds].filter(([, { right, wrong, missed }]) => right + wrong + missed > 0);
}

function scoreJson(score: Score): unknown {
  return { precision: precision(score), recall: recall(score), ...score };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
