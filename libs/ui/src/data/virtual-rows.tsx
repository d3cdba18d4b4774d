import { type Range, defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

import type { TableProps } from './table-props.js';
import { TableRow, type TableRowProps } from './table-row.js';

/** The height of a row in pixels that is expected before the row is drawn. */
export const ROW_HEIGHT = 40;

export interface VirtualRowsProps<Row> extends Pick<TableProps<Row>, 'rows' | 'rowKey'> {
  readonly rowProps: Pick<TableRowProps<Row>, 'columns' | 'rowLink' | 'onRowClick'>;
}

/**
 * The rows near the visible part of the window, with empty rows in place of all others. The row with the focus stays,
 * so that the keyboard does not lose its place while the user scrolls.
 */
export function VirtualRows<Row>({ rows, rowKey, rowProps }: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<number>(undefined);
  const { top, height } = useMeasuredBody(body);
  // New functions would make the virtualizer measure all rows again.
  const itemKey = useCallback((index: number) => keyAt(rows, index, rowKey), [rows, rowKey]);
  const rowsToDraw = useCallback(
    (range: Range) => withFocused(defaultRangeExtractor(range), focused.current, range.count),
    [],
  );
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: useCallback(() => height, [height]),
    overscan: 12,
    scrollMargin: top,
    getItemKey: itemKey,
    rangeExtractor: rowsToDraw,
  });
  const items = virtualizer.getVirtualItems();
  const lastEnd = (items.at(-1)?.end ?? top) - top;
  return (
    <tbody
      ref={body}
      role="rowgroup"
      className="@max-[40rem]/table:block"
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

/**
 * The distance of the rows from the start of the page, and the height of the first row, which is the best guess for all
 * others. Both are measured again when the page changes its size, for example when rows become cards.
 */
function useMeasuredBody(body: RefObject<HTMLElement | null>) {
  const [measured, setMeasured] = useState({ top: 0, height: ROW_HEIGHT });
  useLayoutEffect(() => {
    const measure = () => {
      const row = body.current?.querySelector<HTMLElement>('tr[data-index]');
      const top = Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
      const height = row?.offsetHeight ?? ROW_HEIGHT;
      setMeasured((last) => (last.top === top && last.height === height ? last : { top, height }));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(document.body);
    return () => resized.disconnect();
  }, [body]);
  return measured;
}

/** An empty row in place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden className="@max-[40rem]/table:block" style={{ height }}>
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
