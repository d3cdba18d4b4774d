import { readName } from '../sync-jobs/job-filters.js';

/** The statuses of a snapshot, in the order in which it gets them. */
export const STATUSES = ['creating', 'ready', 'failed', 'expired', 'deleting'] as const;

/** The filters of the list of snapshots, as the address of the page holds them. */
export interface SnapshotFilters {
  /** Absent for snapshots in every status. */
  readonly status?: (typeof STATUSES)[number];
  /** A part of the name. */
  readonly name?: string;
}

/**
 * Reads the filters from the address. An unknown value is left out, because the server would refuse it.
 */
export function readSnapshotFilters(search: Record<string, unknown>): SnapshotFilters {
  const status = STATUSES.find((known) => known === search['status']);
  const name = readName(search['name']);
  return { ...(status && { status }), ...(name !== undefined && { name }) };
}
