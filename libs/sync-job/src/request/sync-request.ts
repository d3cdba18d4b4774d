/** What somebody asks of a sync job, apart from its two databases: the fields of `POST /v1/sync/jobs` and of job files. */
export interface SyncRequest {
  readonly name?: string;
  readonly tables: readonly RequestedTable[];
  readonly unlistedColumns: UnlistedColumns;
  readonly dryRun: boolean;
  /** 0 … 2^53 − 1. */
  readonly seed?: number;
  /** What relative dates resolve against. */
  readonly now?: Date;
}

export interface RequestedTable {
  /** As in SQL. */
  readonly name: string;
  /** Column name → rule, as it was written: read by libs/column-rule. */
  readonly columns: Readonly<Record<string, unknown>>;
  readonly unlistedColumns?: UnlistedColumns;
  readonly subset?: TableSubset;
}

/** The rows of a table that are asked for; at least one of the two. */
export interface TableSubset {
  /** A condition as its author wrote it: read by libs/row-condition, never part of a statement. */
  readonly where?: string;
  /** The first so many rows by primary key. */
  readonly limit?: number;
}

export const UNLISTED_COLUMNS = ['preserve', 'reject', 'null'] as const;
export type UnlistedColumns = (typeof UNLISTED_COLUMNS)[number];
