import type { Declaration } from './declaration.js';
import type { FieldProblem } from './field-problem.js';
import { OPTIONS, type RequestedOptions, type RequestedTable, type SyncRequest } from './job.js';
import { MAX_DATABASE_COLUMNS, MAX_TABLES } from './limits.js';

/**
 * Checks that a request has only the options of its mode. A job that replaces a database rejects unlisted tables and
 * columns, so it may have the value `reject` for both.
 */
export function checkReplacement({ tables, ...options }: ReplacingRequest): FieldProblem[] {
  const mode = options.replace ?? 'tables';
  const message = mode === 'tables' ? NEEDS_DATABASE : NOT_IN_DATABASE;
  const isForeign = ([name, value]: [string, unknown]) => {
    const { reading }: Declaration = OPTIONS[name as keyof RequestedOptions] ?? {};
    return (reading?.mode ?? mode) !== mode && value !== undefined && value !== 'reject';
  };
  return [
    ...(mode === 'tables' ? checkTableCount(tables) : checkColumnCount(tables)),
    ...tables.flatMap(({ rows, unlisted_columns: unlisted = 'reject' }, index) => {
      const field = `tables[${index}]`;
      if (mode === 'tables') return rows === undefined ? [] : [{ field: `${field}.rows`, message }];
      return unlisted === 'reject' ? [] : [{ field: `${field}.unlisted_columns`, message }];
    }),
    ...Object.entries(options)
      .filter(isForeign)
      .map(([field]) => ({ field, message })),
  ];
}

/** Refuses URLs in a job that replaces a database, because only a policy can name the second login of a target. */
export function checkReplacedDatabases({
  replace,
  ...databases
}: Readonly<Record<'source' | 'target', { readonly connection_string: string }>> &
  Pick<RequestedOptions, 'replace'>): FieldProblem[] {
  if (replace !== 'database') return [];
  return SIDES.filter((side) => !databases[side].connection_string.startsWith('agent:')).map((side) => ({
    field: `${side}.connection_string`,
    message: 'a job with "replace": "database" takes only databases of agents (agent:<name>)',
  }));
}

const SIDES = ['source', 'target'] as const;

function checkTableCount({ length }: SyncRequest['tables']): FieldProblem[] {
  if (length <= MAX_TABLES) return [];
  return [{ field: 'tables', message: `expected at most ${MAX_TABLES} tables, got an array of ${length}` }];
}

function checkColumnCount(tables: SyncRequest['tables']): FieldProblem[] {
  const countOf = ({ columns = {} }: RequestedTable) =>
    Array.isArray(columns) ? columns.length : Object.keys(columns).length;
  const count = tables.reduce((sum, table) => sum + countOf(table), 0);
  if (count <= MAX_DATABASE_COLUMNS) return [];
  return [
    {
      field: 'tables',
      message: `expected at most ${MAX_DATABASE_COLUMNS} columns in all tables, got ${count}`,
    },
  ];
}

type ReplacingRequest = Pick<SyncRequest, 'tables'> & RequestedOptions;

const NEEDS_DATABASE = 'needs "replace": "database"';
const NOT_IN_DATABASE = 'cannot be combined with "replace": "database"';
