import { useSyncExternalStore } from 'react';

import {
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatLocal,
  formatRelative,
  formatUtc,
} from './format.js';

export interface TimeProps {
  /** A time in ISO 8601, for example `2026-11-25T23:34:30Z`. Null or undefined shows a dash. */
  readonly iso: string | null | undefined;
  /** `relative` for "5 minutes ago", `local` for date and time in the user's zone. */
  readonly format?: 'relative' | 'local' | undefined;
}

/** A time in the user's zone, with UTC in the tooltip of the browser, which costs nothing in long tables. */
export function Time({ iso, format = 'local' }: TimeProps) {
  const now = useClock();
  const time = iso === null || iso === undefined ? undefined : new Date(iso);
  if (time === undefined || Number.isNaN(time.getTime())) return <Missing />;
  const text =
    (format === 'relative' ? formatRelative(time, now) : null) ??
    (format === 'relative' ? formatDate(time) : formatLocal(time));
  return (
    <time dateTime={time.toISOString()} title={formatUtc(time)} className="tabular-nums">
      {text}
    </time>
  );
}

/** A span of time in milliseconds. */
export function Duration({ ms }: { readonly ms: number | null | undefined }) {
  return ms === null || ms === undefined ? <Missing /> : <Figure text={formatDuration(ms)} />;
}

/** A number of bytes. */
export function Bytes({ bytes }: { readonly bytes: number | null | undefined }) {
  return bytes === null || bytes === undefined ? <Missing /> : <Figure text={formatBytes(bytes)} />;
}

/** A count, with separators for thousands. */
export function Count({ count }: { readonly count: number | null | undefined }) {
  return count === null || count === undefined ? <Missing /> : <Figure text={formatCount(count)} />;
}

function Figure({ text }: { readonly text: string }) {
  return <span className="whitespace-nowrap tabular-nums">{text}</span>;
}

/** A value that is not there. */
function Missing() {
  return <span className="text-faint">–</span>;
}

/** One clock for all times on the page. It moves every ten seconds. */
function useClock(): Date {
  return useSyncExternalStore(subscribe, () => clock.now);
}

const TICK_MS = 10_000;
const clock = { now: new Date(), listeners: new Set<() => void>(), timer: undefined as number | undefined };

function subscribe(listener: () => void): () => void {
  if (clock.listeners.size === 0) {
    clock.timer = window.setInterval(() => {
      clock.now = new Date();
      for (const each of clock.listeners) each();
    }, TICK_MS);
  }
  clock.listeners.add(listener);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size === 0) window.clearInterval(clock.timer);
  };
}
