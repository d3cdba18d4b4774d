import { expectedButGot, type FieldProblem, fieldPath, kindOf } from './field-problem.js';
import { MAX_COLUMNS } from './limits.js';
import { COLUMN_RULES, type RequestedTable, type SyncJobRequest, type TableSubset } from './job.js';
import { MAX_IDENTIFIER_BYTES, readTableName, utf8Length } from './table-name.js';

/**
 * Checks the table names, the names and number of columns, and the subsets of all tables. It does not parse
 * rules.
 */
export function checkTables(tables: readonly RequestedTable[]): FieldProblem[] {
  const checkName = tableNameCheck();
  return tables.flatMap((table, index) => {
    const { name, subset } = table;
    const path = `tables[${index}]`;
    return [
      ...checkName(name, path, `${path}.name`),
      ...checkRows(table, path),
      ...(subset === undefined ? [] : checkSubset(subset, `${path}.subset`)),
    ];
  });
}

/** Checks `ignored_tables`: each is the name of another table, none is in `tables`, and the list has an effect. */
export function checkIgnoredTables({
  tables,
  unlisted_tables: unlisted = 'ignore',
  ignored_tables: ignored = [],
}: Pick<SyncJobRequest, 'tables' | 'unlisted_tables' | 'ignored_tables'>): FieldProblem[] {
  if (ignored.length === 0) return [];
  if (unlisted === 'ignore') {
    const message = 'has no effect without unlisted_tables: "reject" or "warn"';
    return [{ field: 'ignored_tables', message }];
  }
  const checkName = tableNameCheck();
  for (const [index, { name }] of tables.entries()) checkName(name, `tables[${index}]`, '');
  return ignored.flatMap((name, index) => {
    const path = `ignored_tables[${index}]`;
    return checkName(name, path, path);
  });
}

function checkSubset({ where, limit }: TableSubset, path: string): FieldProblem[] {
  if (where !== undefined || limit !== undefined) return [];
  return [{ field: path, message: 'expected where, limit or both, got neither' }];
}

function checkRows({ rows, columns, subset }: RequestedTable, path: string): FieldProblem[] {
  const field = `${path}.columns`;
  const isList = Array.isArray(columns);
  if (rows === 'preserve' && !isList)
    return [{ field, message: expectedButGot('the list of the preserved columns', columns) }];
  if (rows !== 'preserve' && isList) return [{ field, message: expectedButGot(COLUMN_RULES, columns) }];
  const names = isList ? columns : Object.keys(columns ?? {});
  if (rows === 'none' && (names.length > 0 || subset !== undefined))
    return [{ field: `${path}.rows`, message: '"none" cannot have columns or a subset' }];
  return checkColumns(names, field);
}

function checkColumns(names: readonly string[], path: string): FieldProblem[] {
  if (names.length > MAX_COLUMNS) {
    return [{ field: path, message: `expected at most ${MAX_COLUMNS} columns, got ${names.length}` }];
  }
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const field = fieldPath(path, name);
    if (name === '' || utf8Length(name) > MAX_IDENTIFIER_BYTES)
      return [{ field, message: `expected a column name of 1 to ${MAX_IDENTIFIER_BYTES} bytes` }];
    return seen.size === seen.add(name).size ? [{ field, message: 'is listed twice' }] : [];
  });
}

/**
 * Returns a function that checks table names. Call the returned function once for each table, in order. It
 * reports an invalid name, and a name that refers to the same table as an earlier name.
 */
export function tableNameCheck(): (name: string, path: string, field: string) => FieldProblem[] {
  const seen = new Map<string, string>();
  return (name, path, field) => {
    const read = readTableName(name);
    if (!read) {
      const message = `expected a table name as in SQL (t, schema.t, "Odd Schema"."T"), at most ${MAX_IDENTIFIER_BYTES} bytes a part, got ${kindOf(name)}`;
      return [{ field, message }];
    }
    const key = JSON.stringify([read.schema, read.table]);
    const earlier = seen.get(key);
    if (earlier !== undefined) return [{ field, message: `is the same table as ${earlier}` }];
    seen.set(key, path);
    return [];
  };
}
