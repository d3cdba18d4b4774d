import { hasMembers, writeExactJson } from '@understudy/expression';
import type { DefinedSyncJob } from '@understudy/client';
import type { UnlistedColumns } from '@understudy/sync-job';

import { isUnlistedColumns } from '../../work/unlisted-columns.js';
import { DETAIL_TEXTS } from './texts.js';

const { definition: texts } = DETAIL_TEXTS;

export type Treatment = keyof typeof texts.treatments | UnlistedColumns;

/** The treatment of one column, of all other columns of a table, or of the rows of a table. */
export interface DefinitionRow {
  readonly key: string;
  readonly table: string;
  readonly column: string;
  /** True if `column` is a text of this page and not the name of a column. */
  readonly isUnnamed: boolean;
  readonly treatment: Treatment;
  /** The rule in words. */
  readonly rule: string;
}

/** Returns what the job does, table by table. */
export function definitionRows(job: DefinedSyncJob): readonly DefinitionRow[] {
  return job.tables.flatMap(({ name: table, columns, subset, unlisted_columns: unlisted }, index) => {
    const base = { table, isUnnamed: false };
    return [
      ...(subset
        ? [
            {
              ...{ table, isUnnamed: true, key: `${index} rows`, column: texts.rows },
              ...{ treatment: 'rows' as const, rule: describeSubset(subset) },
            },
          ]
        : []),
      ...Object.entries(columns).map(([column, rule]) => ({
        ...{ ...base, key: `${index} column ${column}`, column },
        ...{ treatment: treatmentOf(rule), rule: describeRule(rule) },
      })),
      {
        ...{ key: `${index} others`, table, column: texts.others, isUnnamed: true },
        ...{ treatment: knownMode(unlisted ?? job.unlisted_columns), rule: '' },
      },
    ];
  });
}

/** Returns the rows that contain the text in the name of the table or the column, or in the rule. */
export function matchingRows(rows: readonly DefinitionRow[], text: string): readonly DefinitionRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter(({ table, column, rule }) =>
    [table, column, rule].some((part) => part.toLowerCase().includes(wanted)),
  );
}

/** Returns why the part of a definition at the path is withheld. */
export function reasonOf(path: string): string {
  const { connection, where, rule } = texts.reasons;
  if (path.endsWith('.connection_string')) return connection;
  return path.endsWith('.subset.where') ? where : rule;
}

/** A mode that this page does not know is shown as the strictest one, which agents take it for. */
function knownMode(mode: string): UnlistedColumns {
  return isUnlistedColumns(mode) ? mode : 'reject';
}

function treatmentOf(rule: unknown): Treatment {
  if (!isRule(rule)) return 'withheld';
  return rule['preserve'] === true ? 'kept' : 'masked';
}

function describeSubset({ where, limit }: NonNullable<DefinedSyncJob['tables'][number]['subset']>): string {
  return [
    ...(where === undefined ? [] : [texts.subsetCondition]),
    ...(limit === undefined ? [] : [texts.subsetLimit(limit)]),
  ].join(', ');
}

/** Returns a rule in one line: the generator, then its modifiers. A withheld part is shown as `…`. */
export function describeRule(rule: unknown): string {
  if (!isRule(rule)) return '…';
  const { generator, pattern, json, preserve, ...rest } = rule;
  if (preserve === true) return '';
  const parts = Object.entries(rest).map(([key, value]) =>
    value === true ? key : `${key} ${valueText(value)}`,
  );
  if (isRule(json))
    return [...Object.entries(json).map(([path, inner]) => `${path}: ${describeRule(inner)}`), ...parts].join(
      '; ',
    );
  const main = [generator, pattern]
    .filter((part) => part !== undefined)
    .map(valueText)
    .join(' ');
  return [...(main === '' ? [] : [main]), ...parts].join(', ');
}

function valueText(value: unknown): string {
  if (value === null) return '…';
  return typeof value === 'string' ? value : writeExactJson(value);
}

function isRule(value: unknown): value is Readonly<Record<string, unknown>> {
  return hasMembers(value) && !Array.isArray(value);
}
