interface Window {
  failed: number;
  /** On the clock of `now`. */
  readonly endsAt: number;
}

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;
/** Addresses share this window while as many others have one. */
const OTHERS = 'others';

/** Failed attempts to log in, a minute and an address at a time. It holds at most {@link MAX_ADDRESSES} addresses. */
export class LoginAttempts {
  private readonly windows = new Map<string, Window>();

  /** @param perMinute attempts of one address that may fail before all of its attempts are refused */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns seconds to wait; 0 when the address may try */
  waitSeconds(address: string): number {
    const window = this.windowOf(address);
    if (window === undefined || window.failed < this.perMinute) return 0;
    return Math.ceil((window.endsAt - this.now()) / 1000);
  }

  noteFailure(address: string): void {
    const window = this.windowOf(address);
    if (window) window.failed += 1;
    else this.windows.set(this.keyOf(address), { failed: 1, endsAt: this.now() + WINDOW_MS });
  }

  private windowOf(address: string): Window | undefined {
    const key = this.keyOf(address);
    const window = this.windows.get(key);
    if (window === undefined || this.now() < window.endsAt) return window;
    this.windows.delete(key);
    return undefined;
  }

  private keyOf(address: string): string {
    if (this.windows.has(address) || this.windows.size < MAX_ADDRESSES) return address;
    for (const [key, { endsAt }] of this.windows) if (this.now() >= endsAt) this.windows.delete(key);
    return this.windows.size < MAX_ADDRESSES ? address : OTHERS;
  }
}
