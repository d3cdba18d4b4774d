import type { RuleDefinition } from '@understudy/personal-data';
import { MAX_IGNORED_TABLES } from '@understudy/sync-job';
import { type DetectedTable, sqlTableName } from '../detect/detected-table.js';
import type { Decision, Decisions } from '../propose/choose-rules.js';
import { count } from '../../terminal/numbers.js';
import { printable } from '../../terminal/printable.js';
import { notRead, toDecide } from './init-result.js';
import { columnText, reasonText, rowsText } from './not-read-text.js';

export interface JobFileContent {
  /** The name of the job, made from the database's name. */
  readonly name: string;
  readonly source: RuleDefinition;
  readonly target: RuleDefinition;
  readonly detected: readonly DetectedTable[];
  readonly decisions: Decisions;
  readonly replace: 'tables' | 'database';
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
  const { detected, decisions, unreadable, ignored } = content;
  const isCopy = content.replace === 'database';
  const tables = [
    ...detected.map((table, i) => tableText(table, decisions[i] ?? new Map(), isCopy)),
    ...(isCopy ? ignored.map((name) => `    { "name": ${json(name)}, "rows": "none" }`) : []),
  ];
  return [
    HEAD,
    '{\n',
    `  "name": ${json(content.name)},\n`,
    `  "source": ${inline(content.source)},\n`,
    `  "target": ${inline(content.target)},\n`,
    isCopy ? REPLACING : unlistedText(ignored),
    ...(unreadable.length === 0 ? [] : [unreadableText(unreadable)]),
    '  "tables": [\n',
    tables.join(',\n'),
    '\n  ]\n}\n',
  ].join('');
}

const REPLACING = `  // The copy has all objects of the source and takes the place of the whole target. "rows": "preserve" copies a table
  // unchanged, and "rows": "none" creates it empty. If a table or column is added later, the job fails before it reads a row.
  "replace": "database",
`;

function unlistedText(ignored: readonly string[]): string {
  return [
    '  // If a column is added to a table later, the job fails before it reads a row, because the column has no rule.\n',
    '  "unlisted_columns": "reject",\n',
    unlistedTablesText(ignored),
    '  // Materialized views of the target show the new rows, because they are refreshed after the tables are replaced.\n',
    '  "refresh_materialized_views": true,\n',
  ].join('');
}

function unlistedTablesText(ignored: readonly string[]): string {
  if (ignored.length > MAX_IGNORED_TABLES)
    return `  // ${ignored.length} tables are not copied, which are too many to list. New tables are not copied either.\n  "unlisted_tables": "ignore",\n`;
  const names = ignored.map((name) => `\n    ${json(name)}`).join(',');
  const end = ignored.length === 0 ? '' : '\n  ';
  return [
    '  // If a table is added to the database later, the job fails before it reads a row, until you list the table below or here.\n',
    '  "unlisted_tables": "reject",\n',
    `  "ignored_tables": [${names}${end}],\n`,
  ].join('');
}

/** @param mayList whether the table may have the list of its columns, if it is copied unchanged and nothing is to decide */
function tableText(
  detected: DetectedTable,
  decisions: ReadonlyMap<string, Decision>,
  mayList: boolean,
): string {
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
          `${count(rows.read, 'row')} read`,
          ...entries.flatMap((entry) => (entry.column === undefined ? [rowsText(entry)] : [])),
        ].join('; ');
  const head = `    {\n      "name": ${json(sqlTableName(table.name))}, // ${seen}\n`;
  if (mayList && notes.size === 0 && listed.every(([, { kind }]) => kind === 'preserve'))
    return `${head}      "rows": "preserve",\n      "columns": ${inline(listed.map(([name]) => name))}\n    }`;
  return [
    head,
    '      "columns": {\n',
    ...columns.map(
      ([name, decision]) => `${notes.get(name) ?? ''}${decisionText(name, decision, name === last)}`,
    ),
    '      }\n',
    '    }',
  ].join('');
}

function decisionText(name: string, decision: Decision, isLast: boolean): string {
  const key = json(name);
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
  const lines = unreadable.map(({ name, reason }) => `//   ${printable(name)}: ${reason}\n`);
  return `  // Not copied, because the database role has no permission to read all of it:\n${lines.map((line) => `  ${line}`).join('')}`;
}

function comment(text: string): string {
  return text
    .split('\n')
    .map((line) => `        // ${printable(line)}\n`)
    .join('');
}

/** Returns a value as JSON in one line, without control characters. */
function json(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Returns a value as JSON in one line, with spaces after colons and commas. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return json(value);
  const members = Object.entries(value).map(([key, member]) => `${json(key)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
