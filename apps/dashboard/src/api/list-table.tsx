import { ErrorNotice, Skeleton, Table, type TableProps } from '@understudy/ui';

import type { InfiniteList } from './use-infinite-list.js';

/** The properties of `Table` that do not follow from the list. */
export interface ListTableProps<Item> extends Omit<
  TableProps<Item>,
  'rows' | 'rowKey' | 'totalRows' | 'onEndReached' | 'loadingMore' | 'virtual'
> {
  readonly list: InfiniteList<Item>;
}

/** The table of a list from the API. It loads more rows while the reader scrolls, and shows why a call failed. */
export function ListTable<Item extends { readonly id: string }>({ list, ...props }: ListTableProps<Item>) {
  const { items, total, problem, loading, loadingMore, loadMore, reload } = list;
  return (
    <>
      {problem && <ErrorNotice problem={problem} onRetry={reload} />}
      {loading && <Skeleton lines={6} />}
      {total !== undefined && (
        <Table
          {...props}
          rows={items}
          rowKey={({ id }) => id}
          totalRows={total}
          onEndReached={loadMore}
          loadingMore={loadingMore}
          virtual
        />
      )}
    </>
  );
}
