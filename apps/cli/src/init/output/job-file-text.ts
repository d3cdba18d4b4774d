import type { RuleDefinition } from '@understudy/personal-data';
import { MAX_IGNORED_TABLES } from '@understudy/sync-job';
import { type DetectedTable, sqlTableName } from '../detect/detected-table.js';
import type { Decision, Decisions } from '../propose/choose-rules.js';
import { formatNumber } from '../../terminal/numbers.js';
import { notRead, toDecide } from './init-result.js';
import { columnText, reasonText, rowsText } from './not-read-text.js';

export interface JobFileContent {
  /** The name of the job, made from the database's name. */
  readonly name: string;
  readonly source: RuleDefinition;
  readonly target: RuleDefinition;
  readonly detected: readonly DetectedTable[];
  readonly decisions: Decisions;
  /** The tables that the role has no permission to read, with the reasons. */
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
  /** The names of all tables that the job file leaves out. */
  readonly ignored: readonly string[];
}

const HEAD = `// Copies a database and replaces the values of the columns that look personal. Written by "understudy init"; edit as needed.
//   understudy sync <this file> --dry-run    run every check and write nothing
//   understudy sync <this file>              copy the tables
// The comment above a rule states what the column looks like, and why. { "preserve": true } copies a column unchanged.
`;

/** Returns a job file with comments. Contains names, rules and percentages, but no value of any row. */
export function jobFileText(content: JobFileContent): string {
  const { detected, decisions, unreadable } = content;
  const tables = detected.map((table, i) => tableText(table, decisions[i] ?? new Map()));
  return [
    HEAD,
    '{\n',
    `  "name": ${JSON.stringify(content.name)},\n`,
    `  "source": ${inline(content.source)},\n`,
    `  "target": ${inline(content.target)},\n`,
    '  // If a column is added to a table later, the job fails before it reads a row, because the column has no rule.\n',
    '  "unlisted_columns": "reject",\n',
    unlistedTablesText(content.ignored),
    '  // Materialized views of the target show the new rows, because they are refreshed after the tables are replaced.\n',
    '  "refresh_materialized_views": true,\n',
    ...(unreadable.length === 0 ? [] : [unreadableText(unreadable)]),
    '  "tables": [\n',
    tables.join(',\n'),
    '\n  ]\n}\n',
  ].join('');
}

function unlistedTablesText(ignored: readonly string[]): string {
  if (ignored.length > MAX_IGNORED_TABLES)
    return `  // ${ignored.length} tables are not copied, which are too many to list. New tables are not copied either.\n  "unlisted_tables": "ignore",\n`;
  const names = ignored.map((name) => `\n    ${JSON.stringify(name)}`).join(',');
  const end = ignored.length === 0 ? '' : '\n  ';
  return [
    '  // If a table is added to the database later, the job fails before it reads a row, until you list the table below or here.\n',
    '  "unlisted_tables": "reject",\n',
    `  "ignored_tables": [${names}${end}],\n`,
  ].join('');
}

function tableText(detected: DetectedTable, decisions: ReadonlyMap<string, Decision>): string {
  const { table, rows } = detected;
  const entries = notRead(detected, decisions);
  const notes = new Map<string, string>();
  const note = (column: string, text: string): unknown =>
    notes.set(column, `${notes.get(column) ?? ''}${comment(text)}`);
  for (const { column, ...entry } of entries)
    if (column !== undefined) note(column, `NOT READ: ${columnText(entry)}`);
  for (const { column, path, what, obstacle } of toDecide(detected, decisions))
    if (decisions.get(column)?.kind !== 'withheld')
      note(column, `TO DECIDE: ${path === undefined ? '' : `${path}: `}${what}, ${obstacle}`);
  const columns = [...decisions];
  const listed = columns.filter(([, { kind }]) => kind !== 'computed');
  const last = listed.at(-1)?.[0];
  const seen =
    rows.unread !== undefined && rows.read === 0
      ? `judged by column names only: ${reasonText({ reason: rows.unread })}`
      : [
          `${formatNumber(rows.read)} rows read`,
          ...entries.flatMap((entry) => (entry.column === undefined ? [rowsText(entry)] : [])),
        ].join('; ');
  return [
    '    {\n',
    `      "name": ${JSON.stringify(sqlTableName(table.name))}, // ${seen}\n`,
    '      "columns": {\n',
    ...columns.map(
      ([name, decision]) => `${notes.get(name) ?? ''}${decisionText(name, decision, name === last)}`,
    ),
    '      }\n',
    '    }',
  ].join('');
}

function decisionText(name: string, decision: Decision, isLast: boolean): string {
  const key = JSON.stringify(name);
  const end = isLast ? '\n' : ',\n';
  switch (decision.kind) {
    case 'computed':
      return comment(`${key} is computed by the database`);
    case 'preserve':
      return `        ${key}: { "preserve": true }${end}`;
    case 'withheld':
      return `${comment(`TO DECIDE: ${decision.what} (${decision.reason}); ${decision.blocker}`)}        ${key}: { "preserve": true }${end}`;
    case 'rule':
      return `${comment(decision.reason)}        ${key}: ${inline(decision.rule)}${end}`;
  }
}

function unreadableText(unreadable: JobFileContent['unreadable']): string {
  const lines = unreadable.map(({ name, reason }) => `//   ${oneLine(name)}: ${reason}\n`);
  return `  // Not copied, because the database role has no permission to read all of it:\n${lines.map((line) => `  ${line}`).join('')}`;
}

function comment(text: string): string {
  return text
    .split('\n')
    .map((line) => `        // ${oneLine(line)}\n`)
    .join('');
}

/**
 * Replaces line breaks and control characters with spaces. Names of columns and JSON keys may contain them, and
 * a line break would end the comment.
 */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
}

/** Returns a value as JSON in one line, with spaces after colons and commas. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
