import type { ReactElement, ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** True to hide the header from sight, for a column of menus. */
  readonly headerHidden?: boolean | undefined;
  readonly cell: (row: Row) => ReactNode;
  /** True if the API sorts by this column. The header is then a button that calls `onSort`. */
  readonly sort?: boolean | undefined;
  /** Sorts rows that are all loaded, without `onSort`. Undefined sorts to the end. */
  readonly sortValue?: ((row: Row) => string | number | undefined) | undefined;
  /** `end` for figures. */
  readonly align?: 'start' | 'end' | undefined;
  /** A CSS width, for example `12rem` or `20%`. Columns without one share the rest. */
  readonly width?: string | undefined;
  /** The width of the table below which the column is left out: `md` is 48 rem, `lg` is 64 rem. */
  readonly hideBelow?: 'md' | 'lg' | undefined;
}

export interface TableSort {
  readonly id: string;
  readonly direction: 'asc' | 'desc';
}

export interface TableProps<Row> {
  /** The name of the table, for screen readers. */
  readonly caption: string;
  /** The first column names the row. Keep the array the same between renders, so that rows are not drawn again. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The order of the rows, or the first order if the table sorts them. */
  readonly sort?: TableSort | undefined;
  readonly onSort?: ((sort: TableSort) => void) | undefined;
  /** The link of a row, for example `<Link to="/jobs/$id" />` of the router. The whole row opens it. */
  readonly rowLink?: ((row: Row) => ReactElement) | undefined;
  /** Called on a click on a row without its own page. The first cell becomes a button. */
  readonly onRowClick?: ((row: Row) => void) | undefined;
  /** Shown instead of the table while there are no rows. */
  readonly empty?: ReactNode | undefined;
  /** True to draw only the rows that are visible in the window, for more than about 100 rows. */
  readonly virtual?: boolean | undefined;
  /** The number of all rows, if only the first ones are loaded. */
  readonly totalRows?: number | undefined;
  /** Called when the end of the rows comes near while the user scrolls. */
  readonly onEndReached?: (() => void) | undefined;
  readonly loadingMore?: boolean | undefined;
}

/** A column without its id and its header. */
type Column<Row> = Omit<TableColumn<Row>, 'id' | 'header'>;

/**
 * Makes the columns of a table: `columnsOf<Row>()(headers, columns)`. The first call takes only the type, so that the
 * compiler infers the ids of the second call.
 *
 * `headers` has the headers by the ids of the columns. Those without a column are not used. `columns` has the columns
 * by their ids, in their order.
 */
export function columnsOf<Row>() {
  return <Id extends string>(
    headers: Readonly<Record<Id, string>>,
    columns: { readonly [Key in NoInfer<Id>]?: Column<Row> },
  ): readonly TableColumn<Row>[] => {
    const entries = Object.entries(columns) as [Id, Column<Row>][];
    return entries.map(([id, column]) => ({ id, header: headers[id], ...column }));
  };
}
