import type { FieldProblem } from '../http/api-error.js';
import { fieldPath } from '../http/field-path.js';
import { MAX_COLUMNS, type SubsetDto, type TableDto } from './create-sync-job.dto.js';
import { tableNameCheck } from '../agent-work/check-table-names.js';
import { MAX_IDENTIFIER_BYTES } from '../agent-work/table-name.js';

/** Names and sizes: what can be said without reading a rule. */
export function checkTables(tables: readonly TableDto[]): FieldProblem[] {
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

function checkSubset({ where, limit }: SubsetDto, path: string): FieldProblem[] {
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
