import type { ListedTable } from '@understudy/sync-engine';

export interface Choice {
  /** Schemas; none: all. */
  readonly schemas: readonly string[];
  /** Patterns of which a table has to fit one; none: all fit. */
  readonly tables: readonly string[];
  readonly exclude: readonly string[];
}

/** Patterns are names with `*` for anything: `customers`, `crm.*`, `*_log`. Without a dot they are held against the table alone. */
export function chooseTables(
  tables: readonly ListedTable[],
  { schemas, tables: wanted, exclude }: Choice,
): readonly ListedTable[] {
  const isWanted = matcher(wanted);
  const isExcluded = matcher(exclude);
  return tables.filter(
    (table) =>
      (schemas.length === 0 || schemas.includes(table.name.schema)) &&
      (wanted.length === 0 || isWanted(table)) &&
      !isExcluded(table),
  );
}

function matcher(patterns: readonly string[]): (table: ListedTable) => boolean {
  const tests = patterns.map((pattern) => ({ isWhole: pattern.includes('.'), test: testOf(pattern) }));
  return ({ name: { schema, table } }) =>
    tests.some(({ isWhole, test }) => test.test(isWhole ? `${schema}.${table}` : table));
}

function testOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'u');
}
