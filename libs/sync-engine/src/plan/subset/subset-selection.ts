import type { TableName } from '@understudy/sync-job';

/** A table of a job as the subset sees it. */
export interface SubsetTable {
  /** Into the command's tables. */
  readonly index: number;
  readonly name: TableName;
  readonly isPartitioned: boolean;
  /** The primary key's columns in its order; empty without one. */
  readonly key: readonly string[];
  /** Undefined: no subset of its own. */
  readonly selection: RowSelection | undefined;
}

/** What a job asks to be kept of one table; at least one of the two. */
export interface RowSelection {
  /** SQL that was written here from a checked condition. */
  readonly condition: string | undefined;
  /** The first so many rows that fulfil it, by primary key, else by place. */
  readonly limit: number | undefined;
}
