import { useQuery } from '@tanstack/react-query';
import type { ListAuditEntriesQuery } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { useAllows } from '../session/use-session.js';
import { instantsOf, type AuditFilters } from './audit-filters.js';

/** The entries that match the filters, the newest first. */
export function useAuditEntries(filters: AuditFilters) {
  const { action, actor, target, request } = filters;
  const query: ListAuditEntriesQuery = {
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(target && { target_id: target }),
    ...(request && { request_id: request }),
    ...instantsOf(filters),
  };
  return useInfiniteList({
    queryKey: ['audit-log', query],
    load: (api, page, options) => api.auditLog.list({ ...page, ...query }, options),
    itemsOf: ({ entries }) => entries,
  });
}

/** A member, key or agent that can have made a change. */
export interface Actor {
  readonly id: string;
  readonly type: 'member' | 'token' | 'agent';
  readonly name: string;
}

const PAGE = { per_page: 100 };

/**
 * The members, keys and agents, at most 100 of each. One that the session may not read, or that does not exist any more,
 * is not among them.
 */
export function useActors(): readonly Actor[] {
  const members = useQuery({
    queryKey: ['members', 'addresses'],
    queryFn: ({ signal }) => client.members.list(PAGE, { signal }),
    enabled: useAllows({ role: 'viewer', scope: 'org:read' }),
  });
  const keys = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: ({ signal }) => client.tokens.list(PAGE, { signal }),
    enabled: useAllows({ role: 'admin', scope: 'tokens:read' }),
  });
  const agents = useQuery({
    queryKey: ['agents', 'names'],
    queryFn: ({ signal }) => client.agents.list(PAGE, { signal }),
    enabled: useAllows({ role: 'viewer', scope: 'agents:read' }),
  });
  return [
    ...(members.data?.members ?? []).map(({ id, email }) => ({ id, type: 'member' as const, name: email })),
    ...(keys.data?.tokens ?? []).map(({ id, name }) => ({ id, type: 'token' as const, name })),
    ...(agents.data?.agents ?? []).map(({ id, name }) => ({ id, type: 'agent' as const, name })),
  ];
}
