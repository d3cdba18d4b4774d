/** Returns the finished share in percent, or undefined while it is unknown. */
export function percentOf(done: number, total: number | null): number | undefined {
  if (total === null) return undefined;
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
}

/**
 * Returns how long work has run, in ms, or undefined if it has not begun.
 * @param now the time of the server in ms
 */
export function durationOf(
  {
    started_at: started,
    completed_at: ended,
  }: { readonly started_at: string | null; readonly completed_at: string | null },
  now: number,
): number | undefined {
  if (started === null) return undefined;
  return Math.max(0, (ended === null ? now : Date.parse(ended)) - Date.parse(started));
}
