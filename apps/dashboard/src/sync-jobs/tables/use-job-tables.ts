import { useQueryClient } from '@tanstack/react-query';
import type { SyncJob } from '@understudy/client';
import { useEffect, useMemo, useRef } from 'react';

import { client } from '../../api/client.js';
import { usePolling } from '../../api/polling.js';
import { livenessOf } from '../queries.js';
import {
  addChanges,
  addPage,
  emptyList,
  nextPage,
  PAGE_SIZE,
  shownTables,
  type TableList,
  type TableView,
} from './table-list.js';

/**
 * The tables of a job. Pages are loaded while the reader scrolls. While the job runs, each call returns only the tables
 * that changed since the call before.
 */
export function useJobTables(job: SyncJob, view: TableView) {
  const cache = useQueryClient();
  const queryKey = ['sync-jobs', job.id, 'tables', view] as const;
  const query = usePolling<TableList>({
    queryKey,
    call: async (api, options) => {
      const list = cache.getQueryData<TableList>(queryKey);
      const { status, sort } = view;
      if (list !== undefined && !list.wantsPage) {
        const changes = { changed_since: list.revision, per_page: PAGE_SIZE };
        return addChanges(list, await api.jobs.listTables(job.id, changes, options));
      }
      const page = list === undefined ? 1 : nextPage(shownTables(list).length);
      const query = { status, sort, page, per_page: PAGE_SIZE };
      // The reader has scrolled, so this call keeps the session alive.
      const received = await client.jobs.listTables(job.id, query, options);
      return addPage(list ?? emptyList(view), received);
    },
    liveness: ({ isBehind }) => (isBehind ? 'running' : livenessOf(job)),
    structuralSharing: false,
  });
  const { data: list, refetch } = query;
  useReloadAfter(job.status, () => void refetch());
  return {
    tables: useMemo(() => (list ? shownTables(list) : []), [list]),
    isLoading: list === undefined,
    isLoadingMore: list?.wantsPage === true && query.isFetching,
    error: query.error,
    reload: () => void refetch(),
    loadMore: () => {
      if (list === undefined || list.isComplete || list.wantsPage) return;
      cache.setQueryData<TableList>(queryKey, { ...list, wantsPage: true });
      // A running call for changes is cancelled: one call at a time changes the list.
      void refetch();
    },
  };
}

/** Loads the last changes after the job has begun or ended, because polling ends with the job. */
function useReloadAfter(status: string, reload: () => void): void {
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status) reload();
    before.current = status;
  });
}
