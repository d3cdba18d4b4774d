import type { TableName } from '@understudy/sync-job';
import { type Entry, readList } from './policy-reader.js';

/** Schema, table, column; `*` inside a part stands for any characters. */
export type ColumnPattern = readonly [RegExp, RegExp, RegExp];

/** Whether a pattern matches the column in any of the tables. Names as in the catalog, unquoted. */
export function matchesColumn(
  patterns: readonly ColumnPattern[],
  tables: readonly TableName[],
  column: string,
): boolean {
  return patterns
    .filter(([, , columns]) => columns.test(column))
    .some(([schemas, names]) =>
      tables.some(({ schema, table }) => schemas.test(schema) && names.test(table)),
    );
}

/** @param path the key at the root of the policy */
export function readColumnPatterns(root: Entry, path: string, problems: string[]): readonly ColumnPattern[] {
  return readList(root[path], path, problems).flatMap((item, index) =>
    readPattern(item, `${path}[${index}]`, problems),
  );
}

function readPattern(item: unknown, path: string, problems: string[]): ColumnPattern[] {
  const [schema, table, column, ...rest] = typeof item === 'string' ? item.split('.') : [];
  if (!schema || !table || !column || rest.length > 0) {
    problems.push(`${path}: expected "schema.table.column", where * stands for any characters`);
    return [];
  }
  return [[wildcard(schema), wildcard(table), wildcard(column)]];
}

function wildcard(pattern: string): RegExp {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 'su');
}
