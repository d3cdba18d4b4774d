import { parseInstant } from '@understudy/sync-job';

import { isUnlistedColumns } from '../../work/unlisted-columns.js';
import {
  type ColumnForm,
  isUnlistedTables,
  type JobForm,
  type PlainOption,
  plainOptions,
} from './job-form.js';

/** The parts of a request that a form takes over, as a definition and a job file have them. */
interface ReadRequest extends Readonly<Partial<Record<PlainOption, unknown>>> {
  readonly name?: string;
  readonly tables: readonly {
    readonly name: string;
    readonly columns?: Readonly<Record<string, unknown>> | readonly string[];
    readonly rows?: string;
    readonly unlisted_columns?: string;
    readonly subset?: { readonly where?: unknown; readonly limit?: number };
  }[];
  readonly unlisted_columns?: string;
  readonly unlisted_tables?: string;
  readonly ignored_tables?: readonly string[];
  readonly seed?: number;
  readonly now?: string;
}

/**
 * Returns the form of a request, without its databases and agents. A mode that this page does not know is replaced by
 * the strictest one.
 * @param toColumn makes a column. `path` is the path of the columns of its table.
 */
export function fromRequest(
  request: ReadRequest,
  toColumn: (name: string, rule: unknown, path: string) => ColumnForm,
): Omit<JobForm, 'source' | 'target' | 'agent'> {
  const { unlisted_tables: tables = 'ignore', seed } = request;
  const columnMode = request.unlisted_columns ?? (request.replace === 'database' ? 'reject' : 'preserve');
  return {
    name: request.name ?? '',
    tables: request.tables.map(({ name, columns = {}, rows, unlisted_columns: unlisted, subset }, id) => ({
      id,
      name,
      columns: rulesOf(columns).map(([column, rule]) => toColumn(column, rule, `tables[${id}].columns`)),
      ...(rows === 'none' && { isEmpty: true }),
      ...(isUnlistedColumns(unlisted) && { unlistedColumns: unlisted }),
      where: typeof subset?.where === 'string' ? subset.where : '',
      ...(subset?.where === null && { needsWhere: true }),
      limit: subset?.limit ?? null,
    })),
    unlistedColumns: isUnlistedColumns(columnMode) ? columnMode : 'reject',
    unlistedTables: isUnlistedTables(tables) ? tables : 'reject',
    ignoredTables: (request.ignored_tables ?? []).join('\n'),
    ...plainOptions(request),
    seed: seed === undefined ? '' : String(seed),
    now: parseInstant(request.now)?.toISOString() ?? '',
  };
}

/** A list has the columns that are copied unchanged. */
function rulesOf(
  columns: Readonly<Record<string, unknown>> | readonly string[],
): readonly (readonly [string, unknown])[] {
  return isList(columns) ? columns.map((name) => [name, { preserve: true }]) : Object.entries(columns);
}

function isList(
  columns: Readonly<Record<string, unknown>> | readonly string[],
): columns is readonly string[] {
  return Array.isArray(columns);
}
