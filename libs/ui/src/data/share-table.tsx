import type { ReactNode } from 'react';

export interface ShareRow {
  readonly id: string;
  readonly label: ReactNode;
  /** From 0 to 1. */
  readonly share: number;
  /** Makes the label a button. */
  readonly onSelect?: (() => void) | undefined;
  /** The name of the button for screen readers, if it differs from the label. */
  readonly selectLabel?: string | undefined;
}

export interface ShareTableProps {
  /** The name of the table, for screen readers. */
  readonly caption: string;
  /** The header of the labels. */
  readonly name: string;
  /** The header of the shares. */
  readonly share: string;
  readonly rows: readonly ShareRow[];
}

/** Shares of a whole as a table with a bar in each row. The longest bar belongs to the greatest share. */
export function ShareTable({ caption, name, share, rows }: ShareTableProps) {
  const greatest = Math.max(...rows.map((row) => row.share), Number.MIN_VALUE);
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="w-2/5 py-1 pr-3 font-medium">
            {name}
          </th>
          <th scope="col" className="py-1 font-medium">
            {share}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="py-0.5 pr-3 font-normal text-ink wrap-anywhere">
              {row.onSelect ? (
                <button
                  type="button"
                  aria-label={row.selectLabel}
                  onClick={row.onSelect}
                  className="-mx-1.5 min-h-6 min-w-6 max-w-full rounded-sm px-1.5 text-left underline decoration-control underline-offset-2 hover:bg-subtle"
                >
                  {row.label}
                </button>
              ) : (
                row.label
              )}
            </th>
            <td className="py-0.5">
              <span className="flex items-center gap-2">
                <span className="w-14 shrink-0 text-right text-ink tabular-nums">{percent(row.share)}</span>
                <span aria-hidden className="block h-2.5 min-w-0 grow">
                  <span
                    className="block h-full rounded-sm bg-accent-solid forced-colors:bg-[Highlight]"
                    style={{ width: `${(100 * row.share) / greatest}%` }}
                  />
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Two digits for small shares, so that a rare entry does not look impossible. */
function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 0.01) return '< 0.01 %';
  return `${value.toFixed(value < 1 ? 2 : 1)} %`;
}
