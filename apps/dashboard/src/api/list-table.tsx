import { Table, type TableProps } from '@understudy/ui';

import { QueryState } from './query-state.js';
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
  const { items, total, error, loadingMore, loadMore, reload } = list;
  return (
    <>
      <QueryState query={{ data: total, error, refetch: reload }} />
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
