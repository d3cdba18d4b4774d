import type { RowPreview } from '@understudy/sync-engine';
import type { Colours } from '../terminal/colours.js';

const WIDEST = 28;
/** Columns that are shown beside each other; the others are left out and counted. */
const MOST_COLUMNS = 8;
const NULL_TEXT = 'NULL';

/** Rows before and after, one under the other, as wide as their longest value but 28 characters. */
export function previewText(
  table: string,
  { columns, before, after }: RowPreview,
  { bold, dim }: Colours,
): string {
  if (before.length === 0) return `${bold(table)}: no rows\n`;
  const shown = columns.slice(0, MOST_COLUMNS);
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

/** In one line, nothing in it that a terminal would obey. */
function cell(value: string | null | undefined): string {
  if (value === null || value === undefined) return NULL_TEXT;
  const text = value.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
  const signs = [...text];
  return signs.length > WIDEST ? `${signs.slice(0, WIDEST - 1).join('')}…` : text;
}

/** Columns of a terminal: Chinese and Japanese signs take two. */
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
