import type { Declaration } from './declaration.js';
import type { FieldProblem } from './field-problem.js';
import { OPTIONS, type RequestedOptions, type SyncRequest } from './job.js';

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

type ReplacingRequest = Pick<SyncRequest, 'tables'> & RequestedOptions;

const NEEDS_DATABASE = 'needs "replace": "database"';
const NOT_IN_DATABASE = 'cannot be combined with "replace": "database"';
