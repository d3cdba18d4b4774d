/**
 * The number of ticks of a timer. A pause of the process, however long, counts as one of them, because an interval
 * that is late does not catch up.
 */
const TICKS = 15;

/**
 * Calls `end` after the process has run for `ms`. The time in which the process was suspended, or its event loop was
 * blocked, hardly counts: a response that arrived in that time has not been read yet.
 * @returns a function that cancels the call
 */
export function startRunningTimer(ms: number, end: () => void): () => void {
  let left = TICKS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    end();
  }, ms / TICKS);
  return () => clearInterval(timer);
}
