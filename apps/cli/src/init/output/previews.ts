import type { RowPreview, RuleTrial } from '@understudy/sync-engine';
import { SyncJobError } from '@understudy/sync-job';
import type { Colours } from '../../terminal/colours.js';
import { MaskingError } from '@understudy/masking';
import { printable, readable } from '../../terminal/printable.js';
import type { StandardOutput } from '../../io/standard-output.js';
import { type DetectedTable, sqlTableName } from '../detect/detected-table.js';
import type { Decision, Decisions } from '../propose/choose-rules.js';

const ROWS = 5;
/** The number of tables to show. With `--tables` a user can see the others. */
const MOST_TABLES = 20;

export interface PreviewRequest {
  readonly detected: readonly DetectedTable[];
  readonly decisions: Decisions;
  readonly trial: Pick<RuleTrial, 'preview'>;
  readonly output: Pick<StandardOutput, 'write'>;
  readonly colours: Colours;
}

/**
 * Prints up to five rows of each table that has rules, before and after masking. The rows are not written to
 * any file.
 */
export async function showPreviews({
  detected,
  decisions,
  trial,
  output,
  colours,
}: PreviewRequest): Promise<void> {
  const ruled = detected.flatMap(({ table }, i) => {
    const columns = [...(decisions[i] ?? new Map<string, Decision>())].flatMap(([name, decision]) =>
      decision.kind === 'rule' ? [{ name, rule: decision.rule }] : [],
    );
    return columns.length === 0 ? [] : [{ name: sqlTableName(table.name), columns }];
  });
  for (const rules of ruled.slice(0, MOST_TABLES)) {
    const name = printable(rules.name);
    try {
      await output.write(`${previewText(name, await trial.preview([rules], ROWS), colours)}\n`);
    } catch (error) {
      if (!(error instanceof SyncJobError) && !(error instanceof MaskingError)) throw error;
      await output.write(`${name}: no preview, because reading rows took too long\n\n`);
    }
  }
  if (ruled.length > MOST_TABLES)
    await output.write(
      `… and ${ruled.length - MOST_TABLES} more tables with rules; use --tables to see them\n\n`,
    );
}

const WIDEST = 28;
/** The number of columns to show side by side. The others are only counted. */
const MAX_COLUMNS = 8;
const NULL_TEXT = 'NULL';

/** Returns each row before and after masking, in aligned columns of at most 28 characters. */
function previewText(
  table: string,
  { columns, before, after, skipsLarge }: RowPreview,
  { bold, dim }: Colours,
): string {
  if (before.length === 0) {
    const reason = skipsLarge ? 'no preview, because each row has a value of more than 256 KiB' : 'no rows';
    return `${bold(table)}: ${reason}\n`;
  }
  const shown = columns.slice(0, MAX_COLUMNS);
  const rows = before.flatMap((row, i) => [
    ['before', ...shown.map((_, at) => cell(row[at]))],
    ['after', ...shown.map((_, at) => cell(after[i]?.[at]))],
  ]);
  const head = ['', ...shown.map((name) => cell(name))];
  const widths = head.map((name, at) =>
    Math.max(...[name, ...rows.map((row) => row[at] ?? '')].map(widthOf)),
  );
  const line = (fields: readonly string[]): string =>
    fields
      .map((field, at) => field + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(field))))
      .join('  ')
      .trimEnd();
  const more = columns.length - shown.length;
  return [
    bold(table) + (more > 0 ? dim(` (and ${more} more ${more === 1 ? 'column' : 'columns'})`) : ''),
    dim(line(head)),
    ...rows.map((row, i) => (i % 2 === 0 ? dim(line(row)) : line(row))),
    '',
  ].join('\n');
}

/** Returns a value in one line of at most 28 characters. */
function cell(value: string | null | undefined): string {
  if (value === null || value === undefined) return NULL_TEXT;
  const text = readable(value);
  const signs = [...text];
  return signs.length > WIDEST ? `${signs.slice(0, WIDEST - 1).join('')}…` : text;
}

/** Returns the width of a text on a terminal, where Chinese and Japanese characters take two columns. */
function widthOf(text: string): number {
  return [...text].reduce(
    (sum, sign) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        sign,
      )
        ? 2
        : /\p{Mn}/u.test(sign)
          ? 0
          : 1),
    0,
  );
}
