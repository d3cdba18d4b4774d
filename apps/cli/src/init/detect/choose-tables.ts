import type { ListedTable } from '@understudy/sync-engine';

/** The tables that the user selects. */
export interface Choice {
  /** Names of schemas. Empty selects all schemas. */
  readonly schemas: readonly string[];
  /** Patterns. A table must match at least one of them. Empty selects all tables. */
  readonly tables: readonly string[];
  /** Patterns of tables to leave out. */
  readonly exclude: readonly string[];
}

/**
 * Returns the tables that the user selected. In a pattern, `*` matches any text: `customers`, `crm.*`,
 * `*_log`. A pattern with a dot must match `schema.table`. A pattern without a dot must match the table's
 * name in any schema.
 */
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

/** Returns the names without `*` that match no table, which are probably typing errors, each with its option. */
export function unmatchedNames(
  tables: readonly ListedTable[],
  { schemas, tables: wanted, exclude }: Choice,
): readonly { readonly name: string; readonly option: string }[] {
  const isUnknown = (name: string): boolean => !name.includes('*') && !tables.some(matcher([name]));
  const known = new Set(tables.map(({ name }) => name.schema));
  return [
    ...schemas.filter((name) => !known.has(name)).map((name) => ({ name, option: '--schema' })),
    ...wanted.filter(isUnknown).map((name) => ({ name, option: '--tables' })),
    ...exclude.filter(isUnknown).map((name) => ({ name, option: '--exclude' })),
  ];
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
