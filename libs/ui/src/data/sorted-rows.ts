import {
  type Row as TableRow,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';

import type { TableColumn, TableProps, TableSort } from './table-props.js';

export interface SortedRows<Row> {
  readonly rows: readonly Row[];
  readonly sort: TableSort | undefined;
  /** Undefined if no column can be sorted. */
  readonly onSort: ((sort: TableSort) => void) | undefined;
}

/**
 * The rows in the order of the chosen column. If the caller takes `onSort`, the rows are in order already, because the
 * API sorts them. Otherwise they are sorted here by the columns' `sortValue`, with missing values at the end.
 */
export function useSortedRows<Row>(
  props: Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey' | 'sort' | 'onSort'>,
): SortedRows<Row> {
  const { columns, rows, onSort } = props;
  const [chosen, setChosen] = useState(props.sort);
  const sortsHere = onSort === undefined && columns.some(({ sortValue }) => sortValue !== undefined);
  const definitions = useMemo(() => columns.map(columnDefinition<Row>), [columns]);
  const data = useMemo(() => (sortsHere ? rows.map((row) => ({ row })) : []), [rows, sortsHere]);
  const table = useTable({
    features: FEATURES,
    columns: definitions,
    data,
    state: { sorting: chosen === undefined ? [] : [{ id: chosen.id, desc: chosen.direction === 'desc' }] },
  });
  if (!sortsHere) return { rows, sort: props.sort, onSort };
  return {
    rows: table.getSortedRowModel().rows.map(({ original }) => original.row),
    sort: chosen,
    onSort: setChosen,
  };
}

type Data<Row> = { readonly row: Row };

function columnDefinition<Row>({ id, sortValue }: TableColumn<Row>) {
  return {
    id,
    accessorFn: ({ row }: Data<Row>) => sortValue?.(row),
    sortUndefined: 'last' as const,
    sortFn: compareValues<Row>,
  };
}

/** Compares figures by value and texts in natural order, with `item2` before `item10`. */
function compareValues<Row>(
  a: TableRow<typeof FEATURES, Data<Row>>,
  b: TableRow<typeof FEATURES, Data<Row>>,
  id: string,
): number {
  return typeof a.getValue(id) === 'string' ? sortFn_alphanumeric(a, b, id) : sortFn_basic(a, b, id);
}

const FEATURES = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns: {} });
