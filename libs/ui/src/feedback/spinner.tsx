import { LoaderCircle } from 'lucide-react';

import { TEXTS } from '../texts.js';

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { readonly children: string }) {
  return <span className="sr-only">{children}</span>;
}

/** A turning mark while something is loaded. Its label is read by screen readers. */
export function Spinner({ label = TEXTS.loading }: { readonly label?: string }) {
  return (
    <span className="inline-flex shrink-0">
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/**
 * Grey lines in place of a text that is being loaded. The first one announces it.
 *
 * @param lines How many lines of text are expected, 1 or more.
 */
export function Skeleton({
  lines = 3,
  label = TEXTS.loading,
}: {
  readonly lines?: number | undefined;
  readonly label?: string | undefined;
}) {
  return (
    <div role="status" className="grid gap-2.5 py-1">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className={`h-3.5 animate-pulse rounded-sm bg-pressed ${WIDTHS[line % WIDTHS.length]}`}
        />
      ))}
    </div>
  );
}

const WIDTHS = ['w-2/3', 'w-full', 'w-5/6', 'w-3/4'] as const;
