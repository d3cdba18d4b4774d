import type { TableName } from '@understudy/sync-job';

/** A table of a job, with the facts that the subset needs. */
export interface SubsetTable {
  /** The index in the command's tables. */
  readonly index: number;
  readonly name: TableName;
  readonly isPartitioned: boolean;
  /** The columns of the primary key, in the order of the key; empty if there is none. */
  readonly key: readonly string[];
  /** Undefined if the table has no subset of its own. */
  readonly selection: RowSelection | undefined;
}

/** The rows that a job selects from one table. At least one of the two fields is set. */
export interface RowSelection {
  /** SQL that the agent generated from a checked condition. */
  readonly condition: string | undefined;
  /**
   * The largest number of rows. The first rows by primary key are selected, or by location if there is no
   * primary key.
   */
  readonly limit: number | undefined;
}
