import { type FieldProblem, fieldPath } from '@understudy/field-problems';
import { tableNameCheck } from './check-table-names.js';
import { MAX_COLUMNS } from './limits.js';
import type { RequestedSubset } from './sync-request.js';
import { MAX_IDENTIFIER_BYTES } from './table-name.js';

export interface CheckableTable {
  readonly name: string;
  readonly columns?: Readonly<Record<string, unknown>>;
  readonly subset?: RequestedSubset;
}

/** Names and sizes: what can be said without reading a rule. */
export function checkTables(tables: readonly CheckableTable[]): FieldProblem[] {
  const checkName = tableNameCheck();
  return tables.flatMap(({ name, columns = {}, subset }, index) => {
    const path = `tables[${index}]`;
    return [
      ...checkName(name, index, `${path}.name`),
      ...checkColumns(Object.keys(columns), `${path}.columns`),
      ...(subset === undefined ? [] : checkSubset(subset, `${path}.subset`)),
    ];
  });
}

function checkSubset({ where, limit }: RequestedSubset, path: string): FieldProblem[] {
  if (where !== undefined || limit !== undefined) return [];
  return [{ field: path, message: 'expected where, limit or both, got neither' }];
}

function checkColumns(names: readonly string[], path: string): FieldProblem[] {
  if (names.length > MAX_COLUMNS) {
    return [{ field: path, message: `expected at most ${MAX_COLUMNS} columns, got ${names.length}` }];
  }
  return names
    .filter((name) => name === '' || Buffer.byteLength(name) > MAX_IDENTIFIER_BYTES)
    .map((name) => ({
      field: fieldPath(path, name),
      message: `expected a column name of 1 to ${MAX_IDENTIFIER_BYTES} bytes`,
    }));
}
