import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

export interface ValueGridProps<Row> {
  /** The name of the grid, for screen readers. */
  readonly caption: string;
  readonly columns: readonly ValueColumn<Row>[];
  readonly rows: readonly Row[];
  /** The greatest height in rem before the grid scrolls. */
  readonly maxHeight?: number | undefined;
}

export interface ValueColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** Returns one line of content. A line that is too long is cut, so that all rows have the same height. */
  readonly cell: (row: Row) => ReactNode;
  /** Returns the full text of a value, which the browser shows while the pointer is on it. */
  readonly text?: ((row: Row) => string) | undefined;
}

/** The height of a row in pixels. */
const ROW_HEIGHT = 30;

/**
 * Values in rows of equal height, with any number of columns. It scrolls in both directions, also with the keyboard,
 * and draws only the visible rows. For things that have actions or a page of their own, use `Table`.
 */
export function ValueGrid<Row>({ caption, columns, rows, maxHeight = 36 }: ValueGridProps<Row>) {
  const area = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 0, height: 600 },
  });
  const visible = virtual.getVirtualItems();
  const before = visible[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (visible.at(-1)?.end ?? 0);
  return (
    <div
      ref={area}
      role="region"
      aria-label={caption}
      tabIndex={0}
      style={{ maxHeight: `${maxHeight}rem` }}
      className="min-w-0 overflow-auto rounded-md border border-line focus-visible:-outline-offset-2"
    >
      <table
        aria-label={caption}
        aria-rowcount={rows.length + 1}
        className="w-full border-collapse text-left"
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ id, header }) => (
              <th
                key={id}
                scope="col"
                className="sticky top-0 z-1 border-b border-line bg-subtle px-3 py-1.5 text-sm font-medium whitespace-nowrap text-muted"
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {visible.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} className="h-7.5 border-b border-line last:border-b-0">
              {columns.map(({ id, cell, text }) => (
                <td key={id} title={text?.(rows[index] as Row)} className="max-w-80 truncate px-3 text-sm">
                  {cell(rows[index] as Row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** The height of the rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null;
}
