export interface LocalWindow {
  /** Points that were spent in it. */
  readonly spent: number;
  readonly endsInMs: number;
}

const MAX_KEYS = 10_000;
/** Keys share this window while as many others have one. */
const OTHERS = 'others';

/**
 * Windows in the memory of this process. One begins with the first point that its key spends, and has a fixed length. At
 * most {@link MAX_KEYS} keys have one of their own; further keys share one until others have ended.
 */
export class LocalWindows {
  private readonly windows = new Map<string, { spent: number; readonly endsAt: number }>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns the key's window as it is; nothing is spent */
  read(key: string): LocalWindow {
    const now = this.now();
    const { spent, endsAt } = this.find(this.nameOf(key), now) ?? { spent: 0, endsAt: now + this.windowMs };
    return { spent, endsInMs: endsAt - now };
  }

  /** @param points may be negative: they are given back */
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
