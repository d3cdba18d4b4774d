import { oneOf, searchReader } from '../api/search.js';
import { readName } from '../sync-jobs/job-filters.js';

/** The statuses of a snapshot, in the order in which it gets them. */
export const STATUSES = ['creating', 'ready', 'failed', 'expired', 'deleting'] as const;

/**
 * Reads the filters of the list of snapshots from the address. An unknown value is left out, because the server would
 * refuse it.
 */
export const readSnapshotFilters = searchReader({
  /** Absent for snapshots in every status. */
  status: oneOf(STATUSES),
  /** A part of the name. */
  name: readName,
});

/**
 * The filters of the list of snapshots, as the address of the page holds them. They have the names of the API.
 */
export type SnapshotFilters = ReturnType<typeof readSnapshotFilters>;
