import { useEffect, useEffectEvent, useRef } from 'react';

import { Spinner } from '../feedback/spinner.js';
import { TEXTS } from '../texts.js';
import { useSortedRows } from './sorted-rows.js';
import { TableHead } from './table-head.js';
import type { TableProps } from './table-props.js';
import { TableRow } from './table-row.js';
import { VirtualRows } from './virtual-rows.js';

/**
 * A table in its own box, or without one inside a `Card`. The roles are written out because browsers drop those of
 * table elements that are laid out in another way.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, sort, onSort } = useSortedRows(props);
  const { caption, columns, rowKey, empty, virtual = false } = props;
  const { rowLink, onRowClick, totalRows, onEndReached, loadingMore = false } = props;
  if (rows.length === 0 && empty !== undefined && !loadingMore) return <div className={BOX}>{empty}</div>;
  const rowProps = { columns, rowLink, onRowClick };
  return (
    <div className={`${BOX} @container/table overflow-clip`}>
      <table
        role="table"
        aria-rowcount={virtual ? (totalRows ?? rows.length) + 1 : undefined}
        className={`w-full border-separate border-spacing-0 text-left ${virtual ? 'table-fixed' : ''} @max-[40rem]/table:block`}
      >
        <caption className="sr-only">{caption}</caption>
        <TableHead columns={columns} sort={sort} onSort={onSort} />
        {virtual ? (
          <VirtualRows rows={rows} rowKey={rowKey} rowProps={rowProps} />
        ) : (
          <tbody role="rowgroup" className="@max-[40rem]/table:block">
            {rows.map((row) => (
              <TableRow key={rowKey(row)} row={row} {...rowProps} />
            ))}
          </tbody>
        )}
      </table>
      {onEndReached !== undefined && <End key={rows.length} onReached={onEndReached} />}
      {loadingMore && (
        <div role="status" className="flex items-center justify-center p-3 text-muted">
          <Spinner label={TEXTS.loadingMore} />
        </div>
      )}
    </div>
  );
}

/** Reports once that the end of the rows is less than 800 pixels below the window. */
function End({ onReached }: { readonly onReached: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const report = useEffectEvent(onReached);
  useEffect(() => {
    if (mark.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        report();
      },
      { rootMargin: '0px 0px 800px 0px' },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} />;
}

const BOX =
  'min-w-0 rounded-lg border border-line bg-surface shadow-raised in-[.ui-card]:rounded-none ' +
  'in-[.ui-card]:border-0 in-[.ui-card]:shadow-none';
