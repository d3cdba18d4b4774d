import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<DatabaseWaits>();

/**
 * The time for which one request waits for PostgreSQL: for a connection, or for the end of a statement. All waits
 * of a request share one limit. Work that belongs to no request gets the whole limit for each wait.
 */
export class DatabaseWaits {
  private spentMs = 0;
  private open = 0;
  private startedAt = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Returns the waits of the current request. */
  static current(): DatabaseWaits {
    return current.getStore() ?? new DatabaseWaits();
  }

  /** Runs `work`. Its waits count towards these waits. */
  during<T>(work: () => T): T {
    return current.run(this, work);
  }

  /**
   * Begins a wait. Concurrent waits count once.
   * @param limitMs the limit on all waits together
   * @param onLimit called at most once, after this method has returned, if the limit is reached during this wait
   * @returns a function that ends the wait; further calls do nothing
   */
  begin(limitMs: number, onLimit: () => void): () => void {
    if (this.open++ === 0) this.startedAt = this.now();
    const spentMs = this.spentMs + this.now() - this.startedAt;
    // `unref` lets the process exit if a wait never ends, such as one for a connection of a pool that closes.
    let timer: NodeJS.Timeout | undefined = setTimeout(onLimit, Math.max(0, limitMs - spentMs)).unref();
    return () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      if (--this.open === 0) this.spentMs += this.now() - this.startedAt;
    };
  }
}
