import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateTokenRequest, Token } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { useAllows } from '../session/use-session.js';

const KEYS = ['api-keys'] as const;

/** The keys of the organisation, the newest first. */
export function useApiKeys() {
  return useInfiniteList({
    queryKey: KEYS,
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

/** Changes of keys. The list is loaded again after each of them, also after one that failed. */
export function useKeyChanges() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: KEYS });
  return {
    create: useMutation({ mutationFn: (body: CreateTokenRequest) => client.tokens.create(body), onSettled }),
    rotate: useMutation({ mutationFn: ({ id }: Token) => client.tokens.rotate(id), onSettled }),
    revoke: useMutation({ mutationFn: ({ id }: Token) => client.tokens.revoke(id), onSettled }),
  };
}
