import { focusManager, type Query, type QueryClient } from '@tanstack/react-query';
import { ApiError, ConnectionError } from '@understudy/client';

/** The time until the first check in ms. A person waits, and the check is cheap. */
const CHECK_MS = 5_000;

/** The statuses of a server that is not ready, and of a proxy that does not reach it. */
const AWAY = new Set([502, 503, 504]);

/**
 * Repeats the calls of visible parts that failed because the server, or a service that it needs, was away. Until a
 * check succeeds, no call is repeated, so the page keeps what it shows. If a call still fails after that, the next
 * check follows after twice the time. Checks only run while the tab is visible.
 * @param check a cheap call that does not keep the session alive; rejects while the server is away
 */
export function recoverQueries(cache: QueryClient, check: () => Promise<unknown>): void {
  const queries = cache.getQueryCache();
  let waitMs = CHECK_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (): void => {
    if (queries.findAll(FAILED).length === 0) waitMs = CHECK_MS;
    else timer ??= setTimeout(() => void recover(), waitMs);
  };
  const recover = async (): Promise<void> => {
    if (focusManager.isFocused()) {
      const isBack = await check().then(
        () => true,
        () => false, // the server is still away
      );
      waitMs = isBack ? 2 * waitMs : CHECK_MS;
      if (isBack) await cache.refetchQueries(FAILED);
    }
    timer = undefined;
    schedule();
  };
  queries.subscribe(({ type }) => type === 'updated' && timer === undefined && schedule());
}

const FAILED = { type: 'active', predicate: ({ state }: Query) => isAway(state.error) } as const;

function isAway(error: Error | null): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && AWAY.has(error.status));
}
