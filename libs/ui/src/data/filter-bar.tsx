import { SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

import { Button } from '../controls/button.js';
import { TEXTS } from '../texts.js';

export interface FilterBarProps {
  /** The name of the group, for screen readers, for example "Filter jobs". */
  readonly label: string;
  /** Fields with `labelHidden`, such as `Select` and `TextField`. Each is 11 rem wide, or 9.5 rem in a bar that folds. */
  readonly children: ReactNode;
  /** True if a filter is set, so that there is something to clear. */
  readonly active: boolean;
  readonly onClear: () => void;
  /** Something at the end of the bar, for example the number of results. */
  readonly end?: ReactNode;
  /** True for many filters: on a narrow screen, they are hidden until the user presses a button. */
  readonly folds?: boolean | undefined;
}

/** The filters of a list in one line, or in several where there is no room. */
export function FilterBar({ label, children, active, onClear, end, folds = false }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div role="search" aria-label={label} className="flex flex-wrap items-center gap-2">
      {folds && (
        <Button
          className="sm:hidden"
          icon={<SlidersHorizontal aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          {TEXTS.filters}
        </Button>
      )}
      <div
        id={id}
        className={`${folds && !isOpen ? 'hidden sm:contents' : 'contents'} [&>*]:w-full ${folds ? 'sm:[&>*]:w-38' : 'sm:[&>*]:w-44'}`}
      >
        {children}
      </div>
      {active && (
        <Button kind="quiet" icon={<X aria-hidden />} onClick={onClear}>
          {TEXTS.clearFilters}
        </Button>
      )}
      {end !== undefined && <div className="ml-auto text-sm text-muted">{end}</div>}
    </div>
  );
}
