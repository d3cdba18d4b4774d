import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';

import type { TableColumn, TableProps, TableSort } from './table-props.js';

/** The header. In the form of cards, only the buttons that sort are visible. */
export function TableHead<Row>({
  columns,
  sort,
  onSort,
}: Pick<TableProps<Row>, 'columns' | 'sort' | 'onSort'>) {
  return (
    <thead role="rowgroup" className="@max-[40rem]/table:block">
      <tr
        role="row"
        aria-rowindex={1}
        className="@max-[40rem]/table:flex @max-[40rem]/table:border-b @max-[40rem]/table:border-line @max-[40rem]/table:min-h-10 @max-[40rem]/table:flex-wrap @max-[40rem]/table:items-center @max-[40rem]/table:gap-x-4 @max-[40rem]/table:px-4 @max-[40rem]/table:not-has-[button]:min-h-0 @max-[40rem]/table:not-has-[button]:border-0"
      >
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: { readonly column: TableColumn<Row> } & Pick<TableProps<Row>, 'sort' | 'onSort'>) {
  const active = sort?.id === column.id ? sort.direction : undefined;
  const sortable = onSort !== undefined && (column.sort === true || column.sortValue !== undefined);
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sortable ? (active === undefined ? 'none' : ARIA_SORT[active]) : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      className={`h-9 bg-surface md:sticky md:top-0 md:z-2 border-b border-line px-3 text-sm font-medium text-muted first:pl-4 last:pr-4 ${ALIGN[column.align ?? 'start']} ${hiddenBelow(column)} @max-[40rem]/table:h-auto @max-[40rem]/table:w-auto! @max-[40rem]/table:border-0 @max-[40rem]/table:p-0! ${sortable ? '' : '@max-[40rem]/table:sr-only!'}`}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(column.id, sort))}
          className="group -mx-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 hover:text-ink"
        >
          {column.header}
          <SortIcon active={active} />
        </button>
      ) : (
        <span className={column.headerHidden === true ? 'sr-only' : ''}>{column.header}</span>
      )}
    </th>
  );
}

function SortIcon({ active }: { readonly active: TableSort['direction'] | undefined }) {
  if (active === 'asc') return <ArrowUp aria-hidden className="size-3.5 text-ink" />;
  if (active === 'desc') return <ArrowDown aria-hidden className="size-3.5 text-ink" />;
  return <ChevronsUpDown aria-hidden className="size-3.5 text-faint opacity-60 group-hover:opacity-100" />;
}

/** The order after a click on a header: ascending, and descending if it is ascending by this column now. */
export function nextSort(id: string, sort: TableSort | undefined): TableSort {
  return { id, direction: sort?.id === id && sort.direction === 'asc' ? 'desc' : 'asc' };
}

/** The classes that hide a column in a narrow table. A card shows all columns. */
export function hiddenBelow<Row>({ hideBelow }: TableColumn<Row>): string {
  if (hideBelow === undefined) return '';
  return hideBelow === 'md'
    ? '@min-[40rem]/table:@max-3xl/table:hidden'
    : '@min-[40rem]/table:@max-5xl/table:hidden';
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;
const ALIGN = { start: 'text-left', end: 'text-right' } as const;
