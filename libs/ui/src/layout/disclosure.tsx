import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

export interface DisclosureProps {
  /** The name of what is folded. A click or Enter on it opens the content, and closes it again. */
  readonly title: string;
  /** A short text beside the title, for example what is set inside. */
  readonly text?: ReactNode | undefined;
  /** True keeps the content open, for example because a field inside has an error. It then stays as the user sees it. */
  readonly reveal?: boolean | undefined;
  readonly children: ReactNode;
}

/** Content that is folded until the user opens it. */
export function Disclosure({ title, text, reveal = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  if (reveal && !open) setOpen(true);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group min-w-0"
    >
      <summary className="-mx-1 flex w-fit max-w-full cursor-pointer list-none items-center gap-1.5 rounded-md px-1 py-0.5 font-medium text-ink hover:bg-subtle [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint group-open:rotate-90" />
        <span>{title}</span>
        {text !== undefined && (
          <span className="min-w-0 truncate text-sm font-normal text-muted">{text}</span>
        )}
      </summary>
      <div className="flex min-w-0 flex-col gap-4 pt-3">{children}</div>
    </details>
  );
}
