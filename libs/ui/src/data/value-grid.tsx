import { type ReactNode, useState } from 'react';

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
/** The number of pixels in a rem, unless the user has chosen a larger text. */
const REM = 16;
/** The number of rows that are drawn above and below the visible ones. */
const SPARE = 15;

/**
 * Values in rows of equal height, with any number of columns. It scrolls in both directions, also with the keyboard,
 * and draws only the visible rows. For things that have actions or their own page, use `Table`.
 */
export function ValueGrid<Row>({ caption, columns, rows, maxHeight = 36 }: ValueGridProps<Row>) {
  const [scrolled, setScrolled] = useState(0);
  const drawn = Math.ceil((maxHeight * REM) / ROW_HEIGHT) + 2 * SPARE;
  const first = Math.max(0, Math.min(scrolled - SPARE, rows.length - drawn));
  const visible = rows.slice(first, first + drawn);
  const after = rows.length - first - visible.length;
  return (
    <div
      role="region"
      aria-label={caption}
      tabIndex={0}
      style={{ maxHeight: `${maxHeight}rem` }}
      onScroll={({ currentTarget }) => setScrolled(Math.floor(currentTarget.scrollTop / ROW_HEIGHT))}
      className="min-w-0 overflow-auto rounded-md border border-line focus-visible:-outline-offset-2"
    >
      <table aria-rowcount={rows.length + 1} className="w-full border-collapse text-left">
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
          <Gap rows={first} />
          {visible.map((row, index) => (
            <tr
              key={first + index}
              aria-rowindex={first + index + 2}
              className="h-7.5 border-b border-line last:border-b-0"
            >
              {columns.map(({ id, cell, text }) => (
                <td key={id} title={text?.(row)} className="max-w-80 truncate px-3 text-sm">
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={after} />
        </tbody>
      </table>
    </div>
  );
}

/** The height of rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  return rows > 0 ? <tr aria-hidden style={{ height: rows * ROW_HEIGHT }} /> : null;
}
