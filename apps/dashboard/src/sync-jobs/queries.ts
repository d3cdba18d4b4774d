import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListSyncJobsResult, SyncJob } from '@understudy/client';
import { useEffect, useRef } from 'react';

import { client } from '../api/client.js';
import { type Liveness, usePolling } from '../api/polling.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { JOB_STATUSES, narrowingOf, queryOf, type JobFilters, type JobStatus } from './job-filters.js';

export const SYNC_JOBS = ['sync-jobs'] as const;

/** How soon the API reports something new about a job with the status. */
export function livenessOf({ status }: Pick<SyncJob, 'status'>): Liveness {
  if (status === 'running') return 'running';
  return status === 'pending' ? 'pending' : 'ended';
}

/**
 * The jobs that match the filters. Unfinished ones are loaded again while they change, and all are loaded again after a
 * job has begun or ended.
 */
export function useJobs(filters: JobFilters) {
  const list = useInfiniteList({
    queryKey: [...SYNC_JOBS, 'list', filters],
    load: (api, page, options) => api.jobs.list({ ...queryOf(filters, Date.now()), ...page }, options),
    itemsOf: ({ jobs }) => jobs,
  });
  const active = useActiveJobs();
  const byId = new Map(active.map((job) => [job.id, job]));
  return { ...list, items: list.items.map((job) => byId.get(job.id) ?? job) };
}

/** Above this number of unfinished jobs, their page of the list is too large to be loaded each second. */
const MANY_JOBS = 25;

/** The newest 100 unfinished jobs, those that run first. */
function useActiveJobs() {
  const cache = useQueryClient();
  const { data } = usePolling<ListSyncJobsResult>({
    queryKey: [...SYNC_JOBS, 'active'],
    call: (api, options) =>
      api.jobs.list({ status: 'pending,running', sort: '-status', tables: 'none', per_page: 100 }, options),
    liveness: ({ jobs }) =>
      jobs.length <= MANY_JOBS && jobs.some(({ status }) => status === 'running') ? 'running' : 'pending',
  });
  const states = data?.jobs.map(({ id, status }) => `${id} ${status}`).join();
  const before = useRef(states);
  useEffect(() => {
    if (before.current !== undefined && before.current !== states) {
      void cache.invalidateQueries({ queryKey: [...SYNC_JOBS, 'list'] });
      void cache.invalidateQueries({ queryKey: [...SYNC_JOBS, 'counts'] });
    }
    before.current = states;
  }, [cache, states]);
  return data?.jobs ?? [];
}

/** The number of jobs with each status that match the other filters. */
export function useJobCounts(filters: JobFilters) {
  const others = narrowingOf(filters);
  const { data } = useQuery({
    queryKey: [...SYNC_JOBS, 'counts', others],
    queryFn: async ({ signal }) => {
      const count = async (status: JobStatus) => {
        const query = { ...queryOf(others, Date.now()), status, per_page: 1 };
        return [status, (await client.jobs.list(query, { signal })).total] as const;
      };
      return Object.fromEntries(await Promise.all(JOB_STATUSES.map(count))) as Record<JobStatus, number>;
    },
    placeholderData: keepPreviousData,
  });
  return data;
}

/** Whether a revert of the job has not ended. */
export function isReverting({ replaced }: Pick<SyncJob, 'replaced'>): boolean {
  return replaced?.last_revert?.status === 'pending';
}

/** One job without its tables. */
export function useJob(id: string) {
  return usePolling<SyncJob>({
    queryKey: [...SYNC_JOBS, id],
    call: (api, options) => api.jobs.get(id, { tables: 'none' }, options),
    liveness: (job) => (isReverting(job) ? 'running' : livenessOf(job)),
  });
}

/** One job with all tables and checks. It is loaded only on demand, because it can have several megabytes. */
export function useWholeJob(id: string, enabled: boolean) {
  return useQuery({
    queryKey: [...SYNC_JOBS, id, 'whole'],
    queryFn: ({ signal }) => client.jobs.get(id, {}, { signal }),
    enabled,
    staleTime: Infinity,
  });
}

/** The definition of a job. It never changes. @param id undefined loads nothing */
export function useDefinition(id: string | undefined) {
  return useQuery({
    queryKey: [...SYNC_JOBS, id, 'definition'],
    queryFn: ({ signal }) => client.jobs.getDefinition(id ?? '', { signal }),
    enabled: id !== undefined,
    staleTime: Infinity,
  });
}

export function useStoredData(id: string) {
  return useQuery({
    queryKey: [...SYNC_JOBS, id, 'stored-data'],
    queryFn: ({ signal }) => client.jobs.getStoredData(id, { signal }),
  });
}
