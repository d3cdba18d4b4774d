import type { TableName } from '@understudy/sync-job';

/** A part of a table that is read at a stretch and is done or not done as a whole. Plain data, for the ledger. */
export interface Chunk {
  /** Into the command's tables. */
  readonly tableIndex: number;
  /** 0, 1, 2 … within the table. */
  readonly number: number;
  /** What its rows are read from: the table, or one of its leaf partitions. */
  readonly relation: TableName;
  readonly relationOid: string;
  readonly reads: RelationKind;
  /** The first page that belongs to it; undefined: from the start. */
  readonly fromPage: number | undefined;
  /** The first page that does not; undefined: to the end, however much has been added since. */
  readonly toPage: number | undefined;
  /** On disk, as a measure of the work. */
  readonly bytes: number;
}

/**
 * `table`: rows of this relation alone, which COPY can read by itself · `foreign`: those too, but by a query ·
 * `tree`: rows of a partitioned table's leaves, all in one stream
 */
export type RelationKind = 'table' | 'foreign' | 'tree';
