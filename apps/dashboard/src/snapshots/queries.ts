import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  NotFoundError,
  type CreateSnapshotRequest,
  type ListedSnapshot,
  type Restore,
  type RestoreSnapshotRequest,
  type Snapshot,
} from '@understudy/client';
import { useEffect } from 'react';

import { backgroundClient, client } from '../api/client.js';
import { pollingQuery, type Liveness } from '../api/polling.js';
import { useInfiniteList } from '../api/use-infinite-list.js';

const KEYS = ['snapshots'] as const;

export function useSnapshots() {
  return useInfiniteList({
    queryKey: [...KEYS, 'list'],
    load: (api, page, options) => api.snapshots.list(page, options),
    itemsOf: ({ snapshots }) => snapshots,
  });
}

/** One snapshot. It is loaded again while an agent creates or erases it. */
export function useSnapshot(id: string) {
  return useQuery(
    pollingQuery<Snapshot>({
      queryKey: [...KEYS, id],
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
      queryKey: [...KEYS, id],
      // No person has caused this call.
      call: (_, options) => backgroundClient.snapshots.get(id, options),
      liveness: () => 'pending',
    }),
    enabled: isChanging(status),
  });
  const hasChanged =
    isChanging(status) && (error instanceof NotFoundError || (data?.status ?? status) !== status);
  useEffect(() => {
    if (hasChanged) void cache.invalidateQueries({ queryKey: [...KEYS, 'list'] });
  }, [cache, hasChanged]);
  return isChanging(status) ? (data ?? listed) : listed;
}

/** One restore. It is loaded again until it has ended. */
export function useRestore(snapshotId: string, restoreId: string) {
  return useQuery(
    pollingQuery<Restore>({
      queryKey: [...KEYS, snapshotId, 'restores', restoreId],
      call: (api, options) => api.snapshots.getRestore(snapshotId, restoreId, options),
      liveness: ({ status }): Liveness => {
        if (status === 'running') return 'running';
        return status === 'pending' ? 'pending' : 'ended';
      },
    }),
  );
}

/** Changes of snapshots. Everything that is known about snapshots is loaded again after each of them. */
export function useSnapshotChanges() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: KEYS });
  return {
    create: useMutation({
      mutationFn: (body: CreateSnapshotRequest) => client.snapshots.create(body),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (id: string) => client.snapshots.delete(id), onSettled }),
    restore: useMutation({
      mutationFn: ({ id, ...body }: RestoreSnapshotRequest & Pick<Snapshot, 'id'>) =>
        client.snapshots.restore(id, body),
      onSettled,
    }),
  };
}

/** Returns whether the status changes without an action of a person, within seconds or minutes. */
function isChanging(status: string): boolean {
  return status === 'creating' || status === 'deleting';
}
