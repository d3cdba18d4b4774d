import { useQueryClient } from '@tanstack/react-query';
import {
  NotFoundError,
  type ListedSnapshot,
  type ListSnapshotRestoresResult,
  type Restore,
  type Snapshot,
} from '@understudy/client';
import { useEffect } from 'react';

import { backgroundClient } from '../api/client.js';
import { type Liveness, usePolling } from '../api/polling.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import type { SnapshotFilters } from './snapshot-filters.js';

export const SNAPSHOTS = ['snapshots'] as const;

export function useSnapshots(filters: SnapshotFilters) {
  return useInfiniteList({
    queryKey: [...SNAPSHOTS, 'list', filters],
    load: (api, page, options) => api.snapshots.list({ ...filters, ...page, tables: 'none' }, options),
    itemsOf: ({ snapshots }) => snapshots,
  });
}

/** One snapshot. It is loaded again while an agent creates or erases it. */
export function useSnapshot(id: string) {
  return usePolling<Snapshot>({
    queryKey: [...SNAPSHOTS, id],
    call: (api, options) => api.snapshots.get(id, options),
    liveness: ({ status, progress }): Liveness => {
      if (!isChanging(status)) return 'ended';
      return progress.phase === null ? 'pending' : 'running';
    },
  });
}

/** The present state of a snapshot in the list. The list is loaded again after an agent has created or erased it. */
export function useListedSnapshot(listed: ListedSnapshot): ListedSnapshot {
  const { id, status } = listed;
  const cache = useQueryClient();
  const { data, error } = usePolling<Snapshot>({
    queryKey: [...SNAPSHOTS, id],
    // No person has caused this call.
    call: (_, options) => backgroundClient.snapshots.get(id, options),
    liveness: () => 'pending',
    enabled: isChanging(status),
  });
  const hasChanged =
    isChanging(status) && (error instanceof NotFoundError || (data?.status ?? status) !== status);
  useEffect(() => {
    if (hasChanged) void cache.invalidateQueries({ queryKey: [...SNAPSHOTS, 'list'] });
  }, [cache, hasChanged]);
  return isChanging(status) ? (data ?? listed) : listed;
}

/** The last 100 restores of a snapshot. They are loaded again until all have ended. */
export function useRestores(snapshotId: string) {
  return usePolling<ListSnapshotRestoresResult>({
    queryKey: [...SNAPSHOTS, snapshotId, 'restores'],
    call: (api, options) => api.snapshots.listRestores(snapshotId, { per_page: 100 }, options),
    liveness: ({ restores }) => (restores.some(isActive) ? 'pending' : 'ended'),
  });
}

/** One restore. It is loaded again until it has ended. */
export function useRestore(snapshotId: string, restoreId: string) {
  return usePolling<Restore>({
    queryKey: [...SNAPSHOTS, snapshotId, 'restores', restoreId],
    call: (api, options) => api.snapshots.getRestore(snapshotId, restoreId, options),
    liveness: (restore): Liveness => {
      if (restore.status === 'running') return 'running';
      return isActive(restore) ? 'pending' : 'ended';
    },
  });
}

function isActive({ status }: Restore): boolean {
  return status === 'pending' || status === 'running';
}

/** Returns whether the status changes without an action of a person, within seconds or minutes. */
function isChanging(status: string): boolean {
  return status === 'creating' || status === 'deleting';
}
