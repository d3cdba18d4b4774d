import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NotFoundError, type ListedSnapshot, type Restore, type Snapshot } from '@understudy/client';
import { useEffect } from 'react';

import { backgroundClient } from '../api/client.js';
import { pollingQuery, type Liveness } from '../api/polling.js';
import { useInfiniteList } from '../api/use-infinite-list.js';

export const SNAPSHOTS = ['snapshots'] as const;

export function useSnapshots() {
  return useInfiniteList({
    queryKey: [...SNAPSHOTS, 'list'],
    load: (api, page, options) => api.snapshots.list(page, options),
    itemsOf: ({ snapshots }) => snapshots,
  });
}

/** One snapshot. It is loaded again while an agent creates or erases it. */
export function useSnapshot(id: string) {
  return useQuery(
    pollingQuery<Snapshot>({
      queryKey: [...SNAPSHOTS, id],
      call: (api, options) => api.snapshots.get(id, options),
      liveness: ({ status, progress }): Liveness => {
        if (!isChanging(status)) return 'ended';
        return progress.phase === null ? 'pending' : 'running';
      },
    }),
  );
}

/** The present state of a snapshot in the list. The list is loaded again after an agent has created or erased it. */
export function useListedSnapshot(listed: ListedSnapshot): ListedSnapshot {
  const { id, status } = listed;
  const cache = useQueryClient();
  const { data, error } = useQuery({
    ...pollingQuery<Snapshot>({
      queryKey: [...SNAPSHOTS, id],
      // No person has caused this call.
      call: (_, options) => backgroundClient.snapshots.get(id, options),
      liveness: () => 'pending',
    }),
    enabled: isChanging(status),
  });
  const hasChanged =
    isChanging(status) && (error instanceof NotFoundError || (data?.status ?? status) !== status);
  useEffect(() => {
    if (hasChanged) void cache.invalidateQueries({ queryKey: [...SNAPSHOTS, 'list'] });
  }, [cache, hasChanged]);
  return isChanging(status) ? (data ?? listed) : listed;
}

/** One restore. It is loaded again until it has ended. */
export function useRestore(snapshotId: string, restoreId: string) {
  return useQuery(
    pollingQuery<Restore>({
      queryKey: [...SNAPSHOTS, snapshotId, 'restores', restoreId],
      call: (api, options) => api.snapshots.getRestore(snapshotId, restoreId, options),
      liveness: ({ status }): Liveness => {
        if (status === 'running') return 'running';
        return status === 'pending' ? 'pending' : 'ended';
      },
    }),
  );
}

/** Returns whether the status changes without an action of a person, within seconds or minutes. */
function isChanging(status: string): boolean {
  return status === 'creating' || status === 'deleting';
}
