import {
  OPTIONS,
  type RequestedOptions,
  type RequestedTable,
  type SyncRequest,
  type TableSubset,
  type UnlistedColumns,
} from '../request/job.js';

/** `unlisted_tables` becomes `unlistedTables`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The options of a job, as `OPTIONS` declares them, with their names in camel case. */
export type JobOptions = {
  readonly [Name in keyof RequestedOptions as CamelCase<Name>]: Readonly<RequestedOptions[Name]>;
};

/** The part of a job that its request defines, as it is stored and sent to agents. */
export interface JobDefinition extends JobOptions {
  readonly tables: readonly TableRules[];
  readonly unlistedColumns: UnlistedColumns;
}

export interface TableRules {
  /** The name as written in SQL: `t`, `schema.t`, `"Odd Schema"."T"`. */
  readonly name: string;
  /** The rule of each column, not yet parsed; `libs/column-rule` parses it. */
  readonly columns: readonly { readonly name: string; readonly rule: unknown }[];
  readonly unlistedColumns?: UnlistedColumns;
  readonly subset?: TableSubset;
  /** `none`: the table is created without rows. Such tables are behind all others. */
  readonly rows?: 'none';
}

/** A table whose condition is parsed. */
export interface JobTable extends TableRules {
  readonly subset?: JobSubset;
}

/** The subset of a table. Only the agent reads the condition; the API never shows it. */
export interface JobSubset extends TableSubset {
  /** The columns that the condition names, in the order of their first use. Agents refer to them by index. */
  readonly whereColumns?: readonly string[];
}

export function toDefinition({
  tables,
  ...request
}: Pick<SyncRequest, 'tables'> & RequestedOptions): JobDefinition {
  const read = tables.map(toTable);
  return {
    unlistedColumns: request.replace === 'database' ? 'reject' : 'preserve',
    ...jobOptions(request),
    // Events name the copied tables by index.
    tables: [...copiedTables(read), ...read.filter(({ rows }) => rows === 'none')],
  };
}

/** Returns the tables whose rows a job copies. */
export function copiedTables<T extends Pick<TableRules, 'rows'>>(tables: readonly T[]): readonly T[] {
  return tables.filter(({ rows }) => rows !== 'none');
}

function toTable(requested: RequestedTable): TableRules {
  const { name, columns = {}, rows, unlisted_columns: unlistedColumns, subset } = requested;
  return {
    name,
    columns: Array.isArray(columns)
      ? columns.map((column) => ({ name: column, rule: { preserve: true } }))
      : Object.entries(columns).map(([column, rule]) => ({ name: column, rule })),
    ...(unlistedColumns && { unlistedColumns }),
    ...(subset && { subset: toSubset(subset) }),
    ...(rows === 'none' && { rows }),
  };
}

/** Returns the fields of a request that define a job: the inverse of {@link toDefinition}. */
export function toRequest({ tables, ...definition }: JobDefinition) {
  return {
    tables: tables.map(({ name, columns, unlistedColumns, subset, rows }) => ({
      name,
      columns: Object.fromEntries(columns.map(({ name: column, rule }) => [column, rule])),
      ...(unlistedColumns && { unlisted_columns: unlistedColumns }),
      ...(subset && { subset: toSubset(subset) }),
      ...(rows && { rows }),
    })),
    unlisted_columns: definition.unlistedColumns,
    ...(requestedOptions(definition) as Omit<RequestedOptions, 'unlisted_columns'>),
  };
}

/** Returns the options of a request with the names that a definition has. */
export function jobOptions(request: RequestedOptions): JobOptions {
  return renamed(request, NAMES);
}

/** Returns the options of a definition with the names that a request has. */
export function requestedOptions(definition: JobOptions): RequestedOptions {
  return renamed(definition, INVERSE_NAMES);
}

/** Adds the columns of each condition. @param columns one list for each of the conditions of `writtenRules` */
export function withWhereColumns(
  tables: readonly TableRules[],
  columns: readonly (readonly string[])[],
): readonly JobTable[] {
  const lists = columns[Symbol.iterator]();
  return tables.map((table) => {
    if (table.subset?.where === undefined) return table;
    return { ...table, subset: { ...table.subset, whereColumns: lists.next().value ?? [] } };
  });
}

function toSubset({ where, limit }: TableSubset): TableSubset {
  return { ...(where !== undefined && { where }), ...(limit !== undefined && { limit }) };
}

const NAMES = Object.keys(OPTIONS).map((name) => [name, camelCase(name)] as const);
const INVERSE_NAMES = NAMES.map(([name, camel]) => [camel, name] as const);

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the members that are present, with their new names. */
function renamed(source: object, names: readonly (readonly [from: string, to: string])[]): object {
  const written = new Map<string, unknown>(Object.entries(source));
  return Object.fromEntries(
    names.flatMap(([from, to]) => (written.get(from) === undefined ? [] : [[to, written.get(from)]])),
  );
}
