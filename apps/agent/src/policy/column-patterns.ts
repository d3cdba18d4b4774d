import type { TableName } from '@understudy/sync-job';
import { type Entry, readList } from './policy-reader.js';

/** The patterns for the schema, the table and the column, in this order. */
export type ColumnPattern = readonly [RegExp, RegExp, RegExp];

/** Returns whether a pattern matches the column in any of the tables. Names are unquoted, as in the catalog. */
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

/**
 * Reads a list of `schema.table.column` patterns.
 * @param path the name of a top-level key of the policy
 */
export function readColumnPatterns(root: Entry, path: string, problems: string[]): readonly ColumnPattern[] {
  return readList(root[path], path, problems).flatMap((item, index) =>
    readPattern(item, `${path}[${index}]`, problems),
  );
}

function readPattern(item: unknown, path: string, problems: string[]): ColumnPattern[] {
  const [schema, table, column, ...rest] = typeof item === 'string' ? item.split('.') : [];
  if (!schema || !table || !column || rest.length > 0) {
    problems.push(`${path}: expected "schema.table.column", in which * matches any characters`);
    return [];
  }
  return [[wildcard(schema), wildcard(table), wildcard(column)]];
}

function wildcard(pattern: string): RegExp {
  const source = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 'su');
}
