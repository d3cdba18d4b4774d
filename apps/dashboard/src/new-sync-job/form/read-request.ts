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
    readonly columns?: Readonly<Record<string, unknown>>;
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
  const { unlisted_columns: columns = 'preserve', unlisted_tables: tables = 'ignore', seed } = request;
  return {
    name: request.name ?? '',
    tables: request.tables.map(({ name, columns: rules = {}, unlisted_columns: unlisted, subset }, id) => ({
      id,
      name,
      columns: Object.entries(rules).map(([column, rule]) => toColumn(column, rule, `tables[${id}].columns`)),
      ...(isUnlistedColumns(unlisted) && { unlistedColumns: unlisted }),
      where: typeof subset?.where === 'string' ? subset.where : '',
      ...(subset?.where === null && { needsWhere: true }),
      limit: subset?.limit ?? null,
    })),
    unlistedColumns: isUnlistedColumns(columns) ? columns : 'reject',
    unlistedTables: isUnlistedTables(tables) ? tables : 'reject',
    ignoredTables: (request.ignored_tables ?? []).join('\n'),
    ...plainOptions(request),
    seed: seed === undefined ? '' : String(seed),
    now: parseInstant(request.now)?.toISOString() ?? '',
  };
}
