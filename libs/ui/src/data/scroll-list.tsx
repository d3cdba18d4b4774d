import { type Range, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useRef } from 'react';

import { ROW_HEIGHT, withFocused } from './virtual-rows.js';

export interface ScrollListProps<Row> {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly children: (row: Row) => ReactNode;
}

/**
 * A list of many rows in a box that scrolls. Only the rows near the visible ones are drawn. The row with the focus stays,
 * so that the keyboard does not lose its place while the user scrolls.
 */
export function ScrollList<Row>(props: ScrollListProps<Row>) {
  const { label, rows, rowKey, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index];
        return row === undefined ? index : rowKey(row);
      },
      [rows, rowKey],
    ),
    rangeExtractor: useCallback(
      (range: Range) => withFocused(defaultRangeExtractor(range), focused.current, range.count),
      [],
    ),
  });
  return (
    <div
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={label}
      className="relative max-h-[34rem] min-w-0 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
    >
      <ul
        aria-label={label}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={({ target: element }) => {
          const index = element.closest<HTMLElement>('li[data-index]')?.dataset['index'];
          focused.current = index === undefined ? undefined : Number(index);
        }}
        onBlur={() => {
          focused.current = undefined;
        }}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line hover:bg-subtle"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
