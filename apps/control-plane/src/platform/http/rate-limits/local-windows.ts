export interface LocalWindow {
  /** Points that were spent in the window. */
  readonly spent: number;
  readonly endsInMs: number;
}

const MAX_KEYS = 10_000;
/** The name of the window that new keys share while {@link MAX_KEYS} other keys have windows. */
const OTHERS = 'others';

/**
 * Rate-limit windows in the memory of this process. A window starts when the first point is spent for its
 * key, and has a fixed length. At most {@link MAX_KEYS} keys have separate windows. Further keys share one
 * window until the windows of other keys have ended.
 */
export class LocalWindows {
  private readonly windows = new Map<string, { spent: number; readonly endsAt: number }>();

  /** @param now returns milliseconds of a monotonic clock */
  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns the key's window without spending a point. */
  read(key: string): LocalWindow {
    const now = this.now();
    const { spent, endsAt } = this.find(this.nameOf(key), now) ?? { spent: 0, endsAt: now + this.windowMs };
    return { spent, endsInMs: endsAt - now };
  }

  /** @param points number of points to spend; a negative number gives points back */
  spend(key: string, points = 1): LocalWindow {
    const now = this.now();
    const name = this.nameOf(key);
    const window = this.find(name, now) ?? { spent: 0, endsAt: now + this.windowMs };
    window.spent = Math.max(0, window.spent + points);
    this.windows.set(name, window);
    return { spent: window.spent, endsInMs: window.endsAt - now };
  }

  private find(name: string, now: number) {
    const window = this.windows.get(name);
    if (window === undefined || now < window.endsAt) return window;
    this.windows.delete(name);
    return undefined;
  }

  private nameOf(key: string): string {
    if (this.windows.has(key) || this.windows.size < MAX_KEYS) return key;
    const now = this.now();
    for (const [name, { endsAt }] of this.windows) if (now >= endsAt) this.windows.delete(name);
    return this.windows.size < MAX_KEYS ? key : OTHERS;
  }
}
