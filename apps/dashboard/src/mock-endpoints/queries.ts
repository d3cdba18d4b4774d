import { useQuery } from '@tanstack/react-query';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';

export const MOCK_ENDPOINTS = ['mock-endpoints'] as const;

/** The mock endpoints of the organisation, the newest first. */
export function useMockEndpoints() {
  return useInfiniteList({
    queryKey: MOCK_ENDPOINTS,
    load: (api, page, options) => api.mockEndpoints.list(page, options),
    itemsOf: ({ endpoints }) => endpoints,
  });
}

export function useMockEndpoint(id: string) {
  return useQuery({
    queryKey: [...MOCK_ENDPOINTS, id],
    queryFn: ({ signal }) => client.mockEndpoints.get(id, { signal }),
  });
}
