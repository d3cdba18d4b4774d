import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SyncJob } from '@understudy/client';
import { isSyncJobRequest } from '@understudy/sync-job';

import { client } from '../api/client.js';
import { usePolling } from '../api/polling.js';
import { useAllows } from '../session/use-session.js';
import { livenessOf } from '../sync-jobs/queries.js';
import type { WrittenRequest } from './form/write-request.js';

/** The models that the organisation has uploaded, by id. */
export function useCustomModels(): readonly string[] {
  const enabled = useAllows({ role: 'viewer', scope: 'models:read' });
  const { data } = useQuery({
    queryKey: ['models', 'custom', 'ids'],
    queryFn: ({ signal }) => client.models.list({ type: 'custom', per_page: 100 }, { signal }),
    enabled,
  });
  return data?.models.flatMap(({ id }) => (id.startsWith('custom/') ? [id] : [])) ?? [];
}

export function useCreateJob() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (request: WrittenRequest) => {
      // The form shows its problems instead of sending them.
      if (!isSyncJobRequest(request)) throw new TypeError('expected a checked request');
      return client.jobs.create(request);
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['sync-jobs', 'list'] }),
  });
}

/** The state of a dry run, until it ends. */
export function useDryRun(id: string) {
  return usePolling<SyncJob>({
    queryKey: ['sync-jobs', id, 'dry-run'],
    call: (api, options) => api.jobs.get(id, { tables: 'none' }, options),
    liveness: livenessOf,
  });
}
