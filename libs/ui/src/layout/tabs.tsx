import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

import { formatCount } from '../text/format.js';

export interface TabsProps<Id extends string> {
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly count?: number | undefined }[];
  readonly value: Id;
  /** Called with the chosen tab, which a page keeps in its address. */
  readonly onChange: (id: Id) => void;
  /** The name of the list of tabs, for screen readers. */
  readonly label: string;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
}

/** Views of one subject, of which one is visible. Arrow keys move the focus, Enter chooses. */
export function Tabs<Id extends string>({ tabs, value, onChange, label, children }: TabsProps<Id>) {
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(id) => onChange(id as Id)}
      className="flex min-w-0 flex-col gap-4"
    >
      <BaseTabs.List
        aria-label={label}
        className="relative flex gap-5 overflow-x-auto border-b border-line px-0.5 pt-0.5"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.id}
            value={tab.id}
            className="flex h-9 shrink-0 items-center gap-1.5 rounded-sm border-b-2 border-transparent font-medium text-muted outline-offset-0 hover:text-ink data-active:border-accent data-active:text-ink focus-visible:-outline-offset-2"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-full bg-subtle px-1.5 text-xs text-muted tabular-nums">
                {formatCount(tab.count)}
              </span>
            )}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel key={value} value={value} className="min-w-0 rounded-sm">
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
