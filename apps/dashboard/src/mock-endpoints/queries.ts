import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateMockEndpointRequest } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';

const KEYS = ['mock-endpoints'] as const;

/** The mock endpoints of the organisation, the newest first. */
export function useMockEndpoints() {
  return useInfiniteList({
    queryKey: KEYS,
    load: (api, page, options) => api.mockEndpoints.list(page, options),
    itemsOf: ({ endpoints }) => endpoints,
  });
}

export function useMockEndpoint(id: string) {
  return useQuery({
    queryKey: [...KEYS, id],
    queryFn: ({ signal }) => client.mockEndpoints.get(id, { signal }),
  });
}

export function useCreateMockEndpoint() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateMockEndpointRequest) => client.mockEndpoints.create(body),
    onSettled: () => cache.invalidateQueries({ queryKey: KEYS }),
  });
}

export function useDeleteMockEndpoint() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.mockEndpoints.delete(id),
    onSettled: () => cache.invalidateQueries({ queryKey: KEYS }),
  });
}
