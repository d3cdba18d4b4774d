import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import type { CallOptions } from '@understudy/client';

import { client } from './client.js';

/** The number of items that one call returns. It is the largest that the API allows. */
export const PAGE_SIZE = 100;

/** One page of a list, as every list operation of the API returns it. */
export interface Page {
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

export interface InfiniteList<Item> {
  readonly items: readonly Item[];
  /** The number of items on the server; undefined until the first page is there. */
  readonly total: number | undefined;
  readonly loadingMore: boolean;
  /** The failure of the last call. The items that were loaded before stay. */
  readonly error: Error | null;
  /** Loads the next page, if there is one and no call is running. */
  loadMore(): void;
  /** Repeats the call that failed, or loads all pages again. */
  reload(): void;
}

/**
 * Loads a list in pages of 100 items while the reader scrolls. Pass `loadMore` to `onEndReached` of `Table`.
 * @param load calls the list operation, for example
 *   `(api, page, options) => api.tokens.list({ ...page, status }, options)`
 * @param itemsOf returns the items of a page, for example `({ tokens }) => tokens`
 */
export function useInfiniteList<Result extends Page, Item>({
  queryKey,
  load,
  itemsOf,
}: {
  readonly queryKey: QueryKey;
  readonly load: (
    api: typeof client,
    page: { readonly page: number; readonly per_page: number },
    options: CallOptions,
  ) => Promise<Result>;
  readonly itemsOf: (result: Result) => readonly Item[];
}): InfiniteList<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(client, { page: pageParam, per_page: PAGE_SIZE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  });
  const { data, error, hasNextPage, isFetching, isFetchingNextPage } = query;
  return {
    items: data?.pages.flatMap(itemsOf) ?? [],
    total: data?.pages.at(-1)?.total,
    loadingMore: isFetchingNextPage,
    error,
    loadMore: () => void (hasNextPage && !isFetching && query.fetchNextPage()),
    reload: () => void (error && data ? query.fetchNextPage() : query.refetch()),
  };
}
