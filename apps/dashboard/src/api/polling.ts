import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { AuthenticationError, NotFoundError, type CallOptions, type Understudy } from '@understudy/client';

import { backgroundClient, client } from './client.js';

/** How soon a resource changes: each second, within seconds, or not at all. */
export type Liveness = 'running' | 'pending' | 'ended';

/** Returns the time until the next call in ms, or false if no call is needed. */
export function pollInterval(liveness: Liveness): number | false {
  return { running: 1_000, pending: 5_000, ended: false as const }[liveness];
}

/**
 * Repeats a call while its resource changes and the tab is visible. Only the first call keeps the session alive. Only the
 * end of the session and of the resource end the polling, other failures do not.
 * @param call makes the call with the client and the options that it receives
 * @param liveness decides from the last result how soon the next call follows
 */
export function usePolling<T>({
  queryKey,
  call,
  liveness,
  ...options
}: {
  readonly queryKey: QueryKey;
  readonly call: (client: Understudy, options: CallOptions) => Promise<T>;
  readonly liveness: (data: T) => Liveness;
} & Pick<UseQueryOptions<T>, 'enabled' | 'structuralSharing'>) {
  return useQuery<T>({
    ...options,
    queryKey,
    queryFn: ({ client: cache, signal }) =>
      cache.getQueryData(queryKey) === undefined
        ? call(client, { signal })
        : call(backgroundClient, { signal, maxRetries: 0 }),
    refetchInterval: ({ state: { data, error } }) => {
      if (data === undefined || isFinal(error)) return false;
      const interval = pollInterval(liveness(data));
      return error && interval !== false ? pollInterval('pending') : interval;
    },
  });
}

/** Returns whether the same call fails for ever: the session has ended, or somebody has deleted the resource. */
function isFinal(error: Error | null): boolean {
  return error instanceof AuthenticationError || error instanceof NotFoundError;
}
