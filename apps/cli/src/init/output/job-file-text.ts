import type { RuleDefinition } from '@understudy/personal-data';
import { type TableFindings, sqlTableName } from '../detect/findings.js';
import type { Decision, Decisions } from '../propose/choose-rules.js';

export interface JobFileContent {
  /** The database's, without a password. */
  readonly name: string;
  readonly source: RuleDefinition;
  readonly target: RuleDefinition;
  readonly findings: readonly TableFindings[];
  readonly decisions: Decisions;
  /** Tables that the role may not read, and why. */
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
}

const HEAD = `// A copy of a database with new values in the columns that look personal. Written by "understudy init"; yours to change.
//   understudy sync <this file> --dry-run    every check, and nothing is written
//   understudy sync <this file>
// Above each rule stands what its column was taken for, and why. { "preserve": true } copies a column as it is.
`;

/** A job file with comments. Holds names, rules and shares, no value of any row. */
export function jobFileText(content: JobFileContent): string {
  const { findings, decisions, unreadable } = content;
  const tables = findings.map((table, i) => tableText(table, decisions[i] ?? new Map()));
  return [
    HEAD,
    '{\n',
    `  "name": ${JSON.stringify(content.name)},\n`,
    `  "source": ${inline(content.source)},\n`,
    `  "target": ${inline(content.target)},\n`,
    '  // A column that is added to a table later has no rule: the job then fails before it reads a row.\n',
    '  "unlisted_columns": "reject",\n',
    ...(unreadable.length === 0 ? [] : [unreadableText(unreadable)]),
    '  "tables": [\n',
    tables.join(',\n'),
    '\n  ]\n}\n',
  ].join('');
}

function tableText(
  { table, sampledRows, isSampled }: TableFindings,
  decisions: ReadonlyMap<string, Decision>,
): string {
  const columns = [...decisions];
  const listed = columns.filter(([, { kind }]) => kind !== 'computed');
  const last = listed.at(-1)?.[0];
  const seen = isSampled ? `${sampledRows} rows looked at` : 'judged by its names: it gave no rows in time';
  return [
    '    {\n',
    `      "name": ${JSON.stringify(sqlTableName(table.name))}, // ${seen}\n`,
    '      "columns": {\n',
    ...columns.map(([name, decision]) => columnText(name, decision, name === last)),
    '      }\n',
    '    }',
  ].join('');
}

function columnText(name: string, decision: Decision, isLast: boolean): string {
  const key = JSON.stringify(name);
  const end = isLast ? '\n' : ',\n';
  switch (decision.kind) {
    case 'computed':
      return comment(`${key} is computed by the database`);
    case 'preserve':
      return `        ${key}: { "preserve": true }${end}`;
    case 'withheld':
      return `${comment(`TO DECIDE: ${decision.what} (${decision.reason}); ${decision.obstacle}`)}        ${key}: { "preserve": true }${end}`;
    case 'rule':
      return `${comment(decision.reason)}        ${key}: ${inline(decision.rule)}${end}`;
  }
}

function unreadableText(unreadable: JobFileContent['unreadable']): string {
  const lines = unreadable.map(({ name, reason }) => `//   ${oneLine(name)}: ${reason}\n`);
  return `  // Not copied, because the role that looked may not read them whole:\n${lines.map((line) => `  ${line}`).join('')}`;
}

function comment(text: string): string {
  return text
    .split('\n')
    .map((line) => `        // ${oneLine(line)}\n`)
    .join('');
}

/** Names of columns and keys of documents may hold anything; a comment ends with its line. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
}

/** JSON in one line, with blanks as people write it. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
