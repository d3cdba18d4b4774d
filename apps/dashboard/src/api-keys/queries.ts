import { useQuery } from '@tanstack/react-query';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { useAllows } from '../session/use-session.js';

export const API_KEYS = ['api-keys'] as const;

/** The keys of the organisation, the newest first. */
export function useApiKeys() {
  return useInfiniteList({
    queryKey: API_KEYS,
    load: (api, page, options) => api.tokens.list(page, options),
    itemsOf: ({ tokens }) => tokens,
  });
}

/** The addresses of the members by id. It is empty if the session may not read them. */
export function useMemberAddresses(): ReadonlyMap<string, string> {
  const enabled = useAllows({ role: 'viewer', scope: 'org:read' });
  const { data } = useQuery({
    queryKey: ['members', 'addresses'],
    queryFn: ({ signal }) => client.members.list({ per_page: 100 }, { signal }),
    enabled,
  });
  return new Map(data?.members.map(({ id, email }) => [id, email]));
}
