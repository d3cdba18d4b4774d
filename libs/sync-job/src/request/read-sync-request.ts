import { expectedButGot, type FieldProblem, fieldPath } from './field-problem.js';
import { checkIgnoredTables, checkTables } from './check-tables.js';
import { INSTANT_EXPECTED, parseInstant } from './instant.js';
import {
  MAX_IGNORED_TABLES,
  MAX_LIMIT,
  MAX_NAME_LENGTH,
  MAX_TABLES,
  isSeed,
  SEED_EXPECTED,
} from './limits.js';
import { isBoolean, isIntegerBetween, isObject, isOneOf, isString, ObjectReader } from './object-reader.js';
import {
  type TableSubset,
  type RequestedTable,
  type SyncRequest,
  SOURCE_CODE_MODES,
  UNLISTED_COLUMNS,
  UNLISTED_TABLES,
} from './sync-request.js';

/** The fields that `readSyncRequest` reads. The caller reads the fields of the databases. */
export const SYNC_REQUEST_FIELDS = [
  ...['name', 'tables', 'unlisted_columns', 'unlisted_tables', 'ignored_tables'],
  ...['refresh_materialized_views', 'source_code', 'dry_run', 'seed', 'now'],
] as const;

/**
 * Reads a job request and checks its names and sizes. Does not check rules and conditions. Reports the same
 * problems as the API's DTO does; a test of the control plane checks this.
 * @param problems receives every problem that is found; use the result only if it stays empty
 */
export function readSyncRequest(
  source: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
): SyncRequest {
  const reader = new ObjectReader(source, '', problems);
  const name = reader.optional('name', `a string of 1 to ${MAX_NAME_LENGTH} characters`, isName);
  const written = reader.required('tables', 'an array of tables', Array.isArray) as unknown[] | undefined;
  const tables = written === undefined ? [] : readTables(written, problems);
  const unlistedColumns = reader.optional('unlisted_columns', UNLISTED_EXPECTED, isOneOf(UNLISTED_COLUMNS));
  const unlistedTables = reader.optional(
    'unlisted_tables',
    UNLISTED_TABLES_EXPECTED,
    isOneOf(UNLISTED_TABLES),
  );
  const ignoredTables = reader.optional('ignored_tables', IGNORED_TABLES_EXPECTED, isNameList) ?? [];
  problems.push(...checkIgnoredTables({ tables, unlistedTables, ignoredTables }));
  const refresh = reader.optional('refresh_materialized_views', 'true or false', isBoolean);
  const sourceCode = reader.optional('source_code', '"omit"', isOneOf(SOURCE_CODE_MODES));
  const dryRun = reader.optional('dry_run', 'true or false', isBoolean);
  const seed = reader.optional('seed', SEED_EXPECTED, isSeed);
  const now = parseInstant(reader.optional('now', INSTANT_EXPECTED, isInstant));
  return {
    tables,
    unlistedColumns: unlistedColumns ?? 'preserve',
    unlistedTables: unlistedTables ?? 'ignore',
    ignoredTables,
    refreshMaterializedViews: refresh ?? false,
    dryRun: dryRun ?? false,
    ...(name === undefined ? {} : { name }),
    ...(sourceCode === undefined ? {} : { sourceCode }),
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
  };
}

const UNLISTED_EXPECTED = '"preserve", "reject" or "null"';
const UNLISTED_TABLES_EXPECTED = '"reject", "warn" or "ignore"';
const IGNORED_TABLES_EXPECTED = `an array of at most ${MAX_IGNORED_TABLES} table names`;

function readTables(written: readonly unknown[], problems: FieldProblem[]): readonly RequestedTable[] {
  if (written.length === 0 || written.length > MAX_TABLES) {
    const expected = written.length === 0 ? 'at least one table' : `at most ${MAX_TABLES} tables`;
    problems.push({ field: 'tables', message: expectedButGot(expected, written) });
    return [];
  }
  const before = problems.length;
  const tables = written.map((table, index) => readTable(table, fieldPath('tables', index), problems));
  if (problems.length === before) problems.push(...checkTables(tables));
  return tables;
}

function readTable(value: unknown, path: string, problems: FieldProblem[]): RequestedTable {
  if (!isObject(value)) {
    problems.push({ field: path, message: expectedButGot('an object {name, columns}', value) });
    return { name: '', columns: {} };
  }
  const reader = new ObjectReader(value, path, problems);
  reader.only(['name', 'columns', 'unlisted_columns', 'subset']);
  const name = reader.required('name', 'a table name', isString) ?? '';
  const columns = reader.optional('columns', 'an object of column rules', isObject) ?? {};
  const unlistedColumns = reader.optional('unlisted_columns', UNLISTED_EXPECTED, isOneOf(UNLISTED_COLUMNS));
  const subset = reader.optional('subset', 'an object {where, limit}', isObject);
  return {
    name,
    columns,
    ...(unlistedColumns === undefined ? {} : { unlistedColumns }),
    ...(subset === undefined ? {} : { subset: readSubset(subset, fieldPath(path, 'subset'), problems) }),
  };
}

function readSubset(
  value: Readonly<Record<string, unknown>>,
  path: string,
  problems: FieldProblem[],
): TableSubset {
  const reader = new ObjectReader(value, path, problems);
  reader.only(['where', 'limit']);
  const where = reader.optional('where', 'an SQL condition', isString);
  const limit = reader.optional('limit', `an integer from 0 to ${MAX_LIMIT}`, isIntegerBetween(0, MAX_LIMIT));
  return { ...(where === undefined ? {} : { where }), ...(limit === undefined ? {} : { limit }) };
}

function isName(value: unknown): value is string {
  return isString(value) && value.length > 0 && value.length <= MAX_NAME_LENGTH;
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_IGNORED_TABLES && value.every(isString);
}

function isInstant(value: unknown): value is string {
  return parseInstant(value) !== undefined;
}
