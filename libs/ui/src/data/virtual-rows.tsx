import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';

import type { TableProps } from './table-props.js';
import { TableRow, type TableRowProps } from './table-row.js';

export interface VirtualRowsProps<Row> extends Pick<TableProps<Row>, 'rows' | 'rowKey'> {
  readonly rowHeight: number;
  readonly rowProps: Pick<TableRowProps<Row>, 'columns' | 'rowLink' | 'onRowClick'>;
}

/**
 * The rows near the visible part of the window, with empty rows in place of all others. The row with the focus stays,
 * so that the keyboard does not lose its place while the user scrolls.
 */
export function VirtualRows<Row>({ rows, rowKey, rowHeight, rowProps }: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<number>(undefined);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => keyAt(rows, index, rowKey),
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), focused.current, range.count),
  });
  const items = virtualizer.getVirtualItems();
  const lastEnd = (items.at(-1)?.end ?? top) - top;
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="@max-[40rem]:block"
      onFocus={(event) => {
        focused.current = rowIndex(event.target);
      }}
      onBlur={() => {
        focused.current = undefined;
      }}
    >
      {items.map((item, place) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        return (
          <Fragment key={item.key}>
            <Gap height={item.start - (items[place - 1]?.end ?? top)} />
            <TableRow {...rowProps} row={row} index={item.index} rowRef={virtualizer.measureElement} />
          </Fragment>
        );
      })}
      <Gap height={virtualizer.getTotalSize() - lastEnd} />
    </tbody>
  );
}

/** An empty row in place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden className="@max-[40rem]:block" style={{ height }}>
      <td />
    </tr>
  );
}

function keyAt<Row>(rows: readonly Row[], index: number, rowKey: (row: Row) => string): string | number {
  const row = rows[index];
  return row === undefined ? index : rowKey(row);
}

/** Adds the focused row to the indexes to draw, in order. */
export function withFocused(
  indexes: readonly number[],
  focused: number | undefined,
  count: number,
): number[] {
  if (focused === undefined || focused >= count || indexes.includes(focused)) return [...indexes];
  return [...indexes, focused].sort((a, b) => a - b);
}

function rowIndex(element: Element): number | undefined {
  const index = element.closest<HTMLElement>('tr[data-index]')?.dataset['index'];
  return index === undefined ? undefined : Number(index);
}
