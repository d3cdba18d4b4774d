import type { Colours } from '../../terminal/colours.js';
import { count } from '../../terminal/numbers.js';
import { printable } from '../../terminal/printable.js';
import type { InitResult } from './init-result.js';
import { notReadText } from './not-read-text.js';

/** The number of tables to list. The job file contains the others. */
const MOST_TABLES = 40;
const MAX_RULES = 200;

/** Returns the rules by table, each with its reason. */
export function rulesText({ rules }: InitResult, { bold, dim }: Colours): string {
  const shown = rules.slice(0, MAX_RULES);
  const width = Math.max(0, ...shown.map(({ column }) => printable(column).length));
  const lines: string[] = [];
  let table: string | undefined;
  for (const rule of shown) {
    if (rule.table !== table) lines.push(bold(printable(rule.table)));
    table = rule.table;
    const [first = '', ...others] = rule.reason.split('\n').map(printable);
    lines.push(`  ${printable(rule.column).padEnd(width)}  ${first}`);
    lines.push(...others.map((reason) => `  ${' '.repeat(width)}  ${reason}`));
  }
  if (rules.length > shown.length)
    lines.push(dim(`… and ${rules.length - shown.length} more rules, listed in the file`));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

/** Returns the list of columns without a rule, what was not read, and the next steps. */
export function summaryText(
  result: InitResult,
  { bold, yellow }: Colours,
  { next, maxTables }: { readonly next: readonly string[]; readonly maxTables: number },
): string {
  const { rules, to_decide, unruled, unreadable, not_read, tables, columns, file } = result;
  const kept = Object.entries(unruled);
  const keptColumns = kept.reduce((sum, [, names]) => sum + names.length, 0);
  const ruledTables = new Set(rules.map(({ table }) => table)).size;
  return [
    rules.length === 0
      ? `No column of ${count(tables, 'table')} looks personal (${count(columns, 'column')}). Check the columns yourself as well.\n`
      : `Proposed rules for ${count(rules.length, 'column')} in ${count(ruledTables, 'table')}, out of ${count(columns, 'column')} in ${count(tables, 'table')}.\n`,
    keptColumns === 0
      ? ''
      : `\n${bold('Columns without a rule, copied unchanged')} (${count(keptColumns, 'column')}):\n`,
    ...kept
      .slice(0, MOST_TABLES)
      .map(([table, names]) => `  ${printable(`${table}: ${names.join(', ')}`)}\n`),
    kept.length > MOST_TABLES
      ? `  … and the columns of ${kept.length - MOST_TABLES} more tables, listed in the file\n`
      : '',
    ...to_decide.map(
      ({ table, column, path, what, obstacle }) =>
        `${yellow('to decide:')} ${printable(`${table}.${column}${path === undefined ? '' : ` at ${path}`} looks like ${what}, but ${obstacle}`)}\n`,
    ),
    ...unreadable
      .slice(0, MOST_TABLES)
      .map(({ name, reason }) => `${yellow('not copied:')} ${printable(name)}: ${reason}\n`),
    unreadable.length > MOST_TABLES
      ? `… and ${unreadable.length - MOST_TABLES} more tables that cannot be read, listed in the file\n`
      : '',
    ...not_read
      .slice(0, MOST_TABLES)
      .map((entry) => `${yellow('not read:')} ${printable(notReadText(entry))}\n`),
    not_read.length > MOST_TABLES
      ? `… and ${not_read.length - MOST_TABLES} more tables and columns that were not read, listed in the file\n`
      : '',
    tables > maxTables
      ? `${yellow('too many tables for one job:')} a job takes at most ${maxTables}; write several files with --schema, --tables and --exclude\n`
      : '',
    `\nWritten: ${file}\n`,
    ...next.map((line) => `  ${line}\n`),
  ].join('');
}
