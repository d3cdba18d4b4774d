import { TABLE_SORTS, TABLE_STATUSES, type TableSort, type TableStatus } from '../tables/table-list.js';

export const JOB_TABS = ['overview', 'tables', 'attempts', 'definition', 'stored-data'] as const;
export type JobTab = (typeof JOB_TABS)[number];

/** The part of a job that its page shows, as the address of the page holds it. */
export interface JobSearch {
  /** Absent for the overview. */
  readonly tab?: JobTab;
  /** Limits the tables to one status. */
  readonly tables?: TableStatus;
  /** The order of the tables. Absent for the order of the definition. */
  readonly sort?: TableSort;
}

/** Reads the address. Unknown and default values are left out. */
export function readJobSearch(search: Record<string, unknown>): JobSearch {
  const tab = JOB_TABS.find((known) => known === search['tab']);
  const tables = TABLE_STATUSES.find((known) => known === search['tables']);
  const sort = TABLE_SORTS.find((known) => known === search['sort']);
  return {
    ...(tab && tab !== 'overview' && { tab }),
    ...(tables && { tables }),
    ...(sort && sort !== 'position' && { sort }),
  };
}
