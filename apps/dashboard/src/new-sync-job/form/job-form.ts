import {
  type AgentSelection,
  type Declaration,
  isObject,
  OPTIONS,
  type RequestedOptions,
  UNLISTED_TABLES,
  type UnlistedColumns,
  type UnlistedTables,
} from '@understudy/sync-job';

/** The options with a part of the page for each. A control shows any other option as its declaration describes it. */
const SPECIAL = ['unlisted_columns', 'unlisted_tables', 'ignored_tables', 'dry_run'] as const;
export type PlainOption = Exclude<keyof RequestedOptions, (typeof SPECIAL)[number]>;

export const PLAIN_OPTIONS = Object.keys(OPTIONS).filter(isPlainOption);

/** Returns the plain options of a mode of `replace`. */
export function optionsOfMode(mode: 'tables' | 'database' = 'tables'): readonly PlainOption[] {
  return PLAIN_OPTIONS.filter((name) => (declarationOf(name).reading?.mode ?? mode) === mode);
}

export function isPlainOption(name: string): name is PlainOption {
  return Object.hasOwn(OPTIONS, name) && !SPECIAL.some((special) => special === name);
}

/** Everything that the page holds. It exists only in memory. A plain option is absent if it has its default. */
export interface JobForm extends Readonly<Pick<RequestedOptions, PlainOption>> {
  readonly name: string;
  /** `agent:<name>`, a connection URL, or an empty text. */
  readonly source: string;
  readonly target: string;
  /** The agents that the job selects. Only a copied job has it. */
  readonly agent?: AgentSelection;
  readonly tables: readonly TableForm[];
  readonly unlistedColumns: UnlistedColumns;
  readonly unlistedTables: UnlistedTables;
  /** One name in each line. It has no effect if unlisted tables are ignored. */
  readonly ignoredTables: string;
  /** Decimal digits, or empty for a random seed. */
  readonly seed: string;
  /** An ISO 8601 instant, or empty for the start of the day. */
  readonly now: string;
}

export interface TableForm {
  /** Identifies the table within this form. It stays the same when the user renames the table. */
  readonly id: number;
  readonly name: string;
  readonly columns: readonly ColumnForm[];
  /** Absent for the setting of the job. */
  readonly unlistedColumns?: UnlistedColumns | undefined;
  readonly where: string;
  /** True if the copied job had a condition that the server does not show. The user must write one. */
  readonly needsWhere?: boolean;
  readonly limit: number | null;
  /** True if the table is created without rows. Only a job that replaces a database can have such tables. */
  readonly isEmpty?: boolean;
}

export interface ColumnForm {
  readonly name: string;
  /** The rule as JSON, or undefined while nobody has decided. */
  readonly rule: unknown;
  /** Why the rule was proposed, or what is missing in it. */
  readonly note?: string;
}

export const EMPTY_FORM: JobForm = {
  ...{ name: '', source: '', target: '', seed: '', now: '' },
  tables: [],
  unlistedColumns: 'reject',
  ...{ unlistedTables: 'ignore', ignoredTables: '' },
};

/** `masked` by a rule, `kept` on purpose, or `open` while a decision is missing. */
export type ColumnStatus = 'masked' | 'kept' | 'open';

export function statusOf({ rule }: ColumnForm): ColumnStatus {
  if (!isObject(rule)) return 'open';
  return rule['preserve'] === true ? 'kept' : 'masked';
}

export type Coverage = Readonly<Record<ColumnStatus, number>>;

/** Counts the columns by their status. */
export function coverageOf(columns: readonly ColumnForm[]): Coverage {
  const coverage = { masked: 0, kept: 0, open: 0 };
  for (const column of columns) coverage[statusOf(column)] += 1;
  return coverage;
}

export function isUnlistedTables(value: unknown): value is UnlistedTables {
  return UNLISTED_TABLES.some((known) => known === value);
}

/** Returns the plain options that have other values than their defaults, in the order of the declaration. */
export function plainOptions(options: {
  readonly [Name in PlainOption]?: unknown;
}): Pick<RequestedOptions, PlainOption> {
  return Object.fromEntries(
    optionsOfMode(options.replace === 'database' ? 'database' : 'tables').flatMap((name) => {
      const written = options[name];
      // An empty line of a list is no name.
      const value = Array.isArray(written) ? written.filter((line) => String(line).trim() !== '') : written;
      return value === undefined || value === declarationOf(name)['default'] ? [] : [[name, value]];
    }),
  );
}

export function declarationOf(name: PlainOption): Declaration {
  return OPTIONS[name];
}
