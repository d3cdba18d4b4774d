import { type ReactNode, type Ref, memo } from 'react';

import { TextLink } from '../controls/link.js';
import type { TableProps } from './table-props.js';
import { hiddenBelow } from './table-head.js';

export interface TableRowProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rowLink' | 'onRowClick'> {
  readonly row: Row;
  /** The number of the row, from 0, if not all rows are drawn. */
  readonly index?: number | undefined;
  readonly rowRef?: Ref<HTMLTableRowElement> | undefined;
}

/** One row, or one card if the table is narrow. */
function Row<Row>({ row, columns, rowLink, onRowClick, index, rowRef }: TableRowProps<Row>) {
  const opens = rowLink !== undefined || onRowClick !== undefined;
  return (
    <tr
      ref={rowRef}
      role="row"
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      className={`group/row relative ${opens ? 'hover:bg-subtle' : ''} @max-[40rem]/table:block @max-[40rem]/table:border-b @max-[40rem]/table:border-line @max-[40rem]/table:px-4 @max-[40rem]/table:py-2.5 @max-[40rem]/table:last:border-0`}
    >
      {columns.map((column, place) => {
        const content = column.cell(row);
        return (
          <td
            key={column.id}
            role={place === 0 ? 'rowheader' : 'cell'}
            className={`${CELL} ${column.align === 'end' ? 'text-right tabular-nums' : ''} ${hiddenBelow(column)} ${place === 0 ? FIRST : ''} ${column.headerHidden === true ? CORNER : ''}`}
          >
            {place > 0 && column.headerHidden !== true && (
              <span aria-hidden className="hidden shrink-0 text-sm text-muted @max-[40rem]/table:block">
                {column.header}
              </span>
            )}
            {place === 0 && opens ? (
              <Opener row={row} rowLink={rowLink} onRowClick={onRowClick}>
                {content}
              </Opener>
            ) : (
              <div className="min-w-0 wrap-anywhere">{content}</div>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** The same row is not drawn again while its data and the columns are the same objects. */
export const TableRow = memo(Row) as typeof Row;

/** The link or button in the first cell. Its area is the whole row, below the other controls of the row. */
function Opener<Row>({
  row,
  rowLink,
  onRowClick,
  children,
}: Pick<TableRowProps<Row>, 'row' | 'rowLink' | 'onRowClick'> & { readonly children: ReactNode }) {
  if (rowLink !== undefined) {
    return (
      <TextLink quiet render={rowLink(row)} className={OPENER}>
        {children}
      </TextLink>
    );
  }
  return (
    <button type="button" onClick={() => onRowClick?.(row)} className={`${OPENER} text-left font-medium`}>
      {children}
    </button>
  );
}

const CELL =
  'h-10 max-w-md border-b border-line px-3 py-2 align-middle @max-[40rem]/table:max-w-none group-last/row:border-0 first:pl-4 last:pr-4 [&_:is(a,button)]:relative [&_:is(a,button)]:z-1 ' +
  '[&>.table-opener]:static [&>.table-opener]:z-auto ' +
  '@max-[40rem]/table:flex @max-[40rem]/table:h-auto @max-[40rem]/table:border-0 @max-[40rem]/table:min-h-7 @max-[40rem]/table:items-center ' +
  '@max-[40rem]/table:justify-between @max-[40rem]/table:gap-4 @max-[40rem]/table:p-0! @max-[40rem]/table:text-right';

const FIRST = '@max-[40rem]/table:pr-10! @max-[40rem]/table:text-left!';

/** The menu of a row is in the corner of its card. */
const CORNER = '@max-[40rem]/table:absolute! @max-[40rem]/table:top-2 @max-[40rem]/table:right-3';

const OPENER =
  'table-opener block w-fit max-w-full min-w-0 wrap-anywhere after:absolute after:inset-0 hover:no-underline! ' +
  'focus-visible:outline-offset-1';
