import type { ListSyncJobsQuery } from '@understudy/client';

import { oneOf, searchReader, textLike } from '../api/search.js';
import { TABLE_SORTS, TABLE_STATUSES } from './tables/table-list.js';

export const JOB_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The spans of time that the list can be limited to, in hours. */
export const SPANS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type Span = keyof typeof SPANS;

export const JOB_SORTS = ['created_at', '-created_at', 'name', '-name', 'status', '-status'] as const;

/** The longest text that is searched for in names. It is the longest name of a job. */
const MAX_NAME = 200;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Reads the filters and the order of the list of jobs from the address. An unknown value is left out, and so is the
 * default order.
 */
export const readJobFilters = searchReader({
  status: oneOf(JOB_STATUSES),
  name: readName,
  agent: textLike(/^agt_[0-9A-Z]{26}$/),
  within: oneOf(Object.keys(SPANS) as Span[]),
  sort: oneOf(JOB_SORTS, '-created_at'),
});

/** The filters and the order of the list of jobs, as the address of the page holds them. */
export type JobFilters = ReturnType<typeof readJobFilters>;

/** The parts of a job, as its page shows them. */
export const JOB_TABS = ['overview', 'tables', 'attempts', 'definition', 'stored-data'] as const;

/**
 * Reads from the address which part of a job its page shows. Unknown and default values are left out, so that an
 * address has one form.
 */
export const readJobSearch = searchReader({
  /** Absent for the overview. */
  tab: oneOf(JOB_TABS, 'overview'),
  /** Limits the tables to one status. */
  tables: oneOf(TABLE_STATUSES),
  /** The order of the tables. Absent for the order of the definition. */
  sort: oneOf(TABLE_SORTS, 'position'),
});

/** Returns the filters without the status and the order. */
export function narrowingOf({ name, agent, within }: JobFilters): JobFilters {
  return readJobFilters({ name, agent, within });
}

/** Reads a part of a name from the address. The router reads a text of digits in the address as a number. */
export function readName(value: unknown): string | undefined {
  const isWord = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
  return isWord ? String(value).slice(0, MAX_NAME) : undefined;
}

/**
 * Returns the query of the API for the filters.
 * @param now the present time in ms. A span begins at a full minute, so that two calls can have the same response
 */
export function queryOf(
  { status, name, agent, within, sort }: JobFilters,
  now: number,
): Omit<ListSyncJobsQuery, 'page' | 'per_page'> {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return {
    tables: 'none',
    ...(status && { status }),
    ...(name !== undefined && { name }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(within && { created_after: new Date(minute - SPANS[within] * HOUR_MS).toISOString() }),
    ...(sort && { sort }),
  };
}
