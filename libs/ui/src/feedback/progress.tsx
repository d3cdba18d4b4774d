import { Progress as BaseProgress } from '@base-ui/react/progress';
import { useEffect, useRef, useState } from 'react';

export interface ProgressProps {
  readonly label: string;
  /** From 0 to `max`, or null while the end is not known. */
  readonly value: number | null;
  /** Above 0. */
  readonly max: number;
  /** The progress in words, for example "12 of 40 tables". It is also the value for screen readers. */
  readonly text?: string | undefined;
  readonly tone?: 'accent' | 'warning' | 'danger' | undefined;
}

/** A bar that fills. It is not announced when it changes: see `ProgressAnnouncer`. */
export function Progress({ label, value, max, text, tone = 'accent' }: ProgressProps) {
  const bounded = value === null ? null : Math.min(Math.max(value, 0), max);
  return (
    <BaseProgress.Root
      value={bounded}
      max={max}
      {...(text === undefined ? {} : { getAriaValueText: () => text })}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <BaseProgress.Label className="font-medium text-ink">{label}</BaseProgress.Label>
        {text !== undefined && (
          <span aria-hidden className="text-muted tabular-nums">
            {text}
          </span>
        )}
      </div>
      <BaseProgress.Track className="h-1.5 overflow-hidden rounded-full bg-pressed forced-colors:border">
        <BaseProgress.Indicator
          className={`h-full rounded-full transition-[width] duration-300 data-indeterminate:w-1/3 data-indeterminate:animate-pulse forced-colors:bg-[Highlight] ${TONES[tone]}`}
        />
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}

/**
 * Announces progress politely: the first text without delay, then the latest text at most every five seconds. It is
 * hidden from sight.
 */
export function ProgressAnnouncer({ text }: { readonly text: string }) {
  const [announced, setAnnounced] = useState(text);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), ANNOUNCE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div aria-live="polite" aria-atomic className="sr-only">
      {announced}
    </div>
  );
}

const ANNOUNCE_EVERY_MS = 5_000;

const TONES = { accent: 'bg-accent-solid', warning: 'bg-warning-solid', danger: 'bg-danger' } as const;
