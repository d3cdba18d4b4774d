import { useQuery } from '@tanstack/react-query';
import type { AuditEntry, ListAuditEntriesQuery } from '@understudy/client';

import { client } from '../api/client.js';
import { PAGE_SIZE, useInfiniteList } from '../api/use-infinite-list.js';
import { useMemberAddresses } from '../api-keys/queries.js';
import { useAllows } from '../session/use-session.js';
import { useAgentNames } from '../work/agents.js';
import { instantsOf, type AuditFilters } from './audit-filters.js';

/** Returns the query of the API for the filters. */
export function queryOf(filters: AuditFilters): ListAuditEntriesQuery {
  const { action, actor, target, request } = filters;
  return {
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(target && { target_id: target }),
    ...(request && { request_id: request }),
    ...instantsOf(filters),
  };
}

/** The entries that match the filters, the newest first. */
export function useAuditEntries(filters: AuditFilters) {
  const query = queryOf(filters);
  return useInfiniteList({
    queryKey: ['audit-log', query],
    load: (api, page, options) => api.auditLog.list({ ...page, ...query }, options),
    itemsOf: ({ entries }) => entries,
  });
}

/** The largest number of entries of an export. They take 100 calls of the 600 that a session may send in a minute. */
export const MAX_EXPORTED = 10_000;

/**
 * Loads the entries that match the query, the newest first, at most MAX_EXPORTED. Entries that are written during the
 * export are left out, because they would move the others to later pages.
 * @param until the end of the range if the query has none
 * @throws ApiError, ConnectionError, and the reason of the signal
 */
export async function loadEntries(
  query: ListAuditEntriesQuery,
  until: Date,
  signal: AbortSignal,
): Promise<AuditEntry[]> {
  const range = { occurred_before: until.toISOString(), ...query, per_page: PAGE_SIZE };
  const entries: AuditEntry[] = [];
  for await (const entry of client.auditLog.iterate(range, { signal })) {
    entries.push(entry);
    if (entries.length === MAX_EXPORTED) break;
  }
  return entries;
}

/** A member, key or agent that can have made a change. */
export interface Actor {
  readonly id: string;
  readonly type: 'member' | 'token' | 'agent';
  readonly name: string;
}

/**
 * The members, keys and agents, at most 100 of each. One that the session may not read, or that does not exist any more,
 * is not among them.
 */
export function useActors(): readonly Actor[] {
  const { data } = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: ({ signal }) => client.tokens.list({ per_page: 100 }, { signal }),
    enabled: useAllows({ role: 'admin', scope: 'tokens:read' }),
  });
  const keys = data?.tokens.map(({ id, name }) => [id, name] as const);
  const actors = (type: Actor['type'], named: Iterable<readonly [string, string]> = []) =>
    Array.from(named, ([id, name]) => ({ id, type, name }));
  return [
    ...actors('member', useMemberAddresses()),
    ...actors('token', keys),
    ...actors('agent', useAgentNames()),
  ];
}
