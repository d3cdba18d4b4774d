import type { ReactNode } from 'react';

import { Button } from '../controls/button.js';
import { X } from 'lucide-react';
import { TEXTS } from '../texts.js';

export interface FilterBarProps {
  /** The name of the group, for screen readers, for example "Filter jobs". */
  readonly label: string;
  /** Fields with `labelHidden`, such as `Select` and `TextField`. Each is 11 rem wide or more. */
  readonly children: ReactNode;
  /** True if a filter is set, so that there is something to clear. */
  readonly active: boolean;
  readonly onClear: () => void;
  /** Something at the end of the bar, for example the number of results. */
  readonly end?: ReactNode;
}

/** The filters of a list in one line, or in several where there is no room. */
export function FilterBar({ label, children, active, onClear, end }: FilterBarProps) {
  return (
    <div role="search" aria-label={label} className="flex flex-wrap items-center gap-2">
      <div className="contents [&>*]:w-full sm:[&>*]:w-44">{children}</div>
      {active && (
        <Button kind="quiet" icon={<X aria-hidden />} onClick={onClear}>
          {TEXTS.clearFilters}
        </Button>
      )}
      {end !== undefined && <div className="ml-auto text-sm text-muted">{end}</div>}
    </div>
  );
}
