/**
 * The request for a sync job without its two databases: the fields of `POST /v1/sync/jobs` and of job files.
 */
export interface SyncRequest {
  readonly name?: string;
  readonly tables: readonly RequestedTable[];
  readonly unlistedColumns: UnlistedColumns;
  readonly unlistedTables: UnlistedTables;
  /** The names as written in SQL. Empty if `unlistedTables` is `ignore`. */
  readonly ignoredTables: readonly string[];
  readonly refreshMaterializedViews: boolean;
  /** If undefined, the policy of the agent decides. */
  readonly sourceCode?: SourceCodeMode;
  readonly dryRun: boolean;
  /** An integer from −(2^53 − 1) to 2^53 − 1. */
  readonly seed?: number;
  /** The instant that relative dates refer to. */
  readonly now?: Date;
}

export interface RequestedTable {
  /** The name as written in SQL. */
  readonly name: string;
  /** The rule of each column by its name, not yet parsed; `libs/column-rule` parses it. */
  readonly columns: Readonly<Record<string, unknown>>;
  readonly unlistedColumns?: UnlistedColumns;
  readonly subset?: TableSubset;
}

/** The requested rows of a table. At least one of the two fields is set. */
export interface TableSubset {
  /**
   * The condition as its author wrote it. `libs/row-condition` parses it. This text never becomes part of an
   * SQL statement.
   */
  readonly where?: string;
  /** The largest number of rows, taken in the order of the primary key. */
  readonly limit?: number;
}

export const UNLISTED_COLUMNS = ['preserve', 'reject', 'null'] as const;
export type UnlistedColumns = (typeof UNLISTED_COLUMNS)[number];

/** The ways to treat tables of the source that are neither listed nor in `ignored_tables`. */
export const UNLISTED_TABLES = ['reject', 'warn', 'ignore'] as const;
export type UnlistedTables = (typeof UNLISTED_TABLES)[number];

/** The ways to treat parts of missing tables that call functions of the source. `omit` does not create them. */
export const SOURCE_CODE_MODES = ['omit'] as const;
export type SourceCodeMode = (typeof SOURCE_CODE_MODES)[number];
