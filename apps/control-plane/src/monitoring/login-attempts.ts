import { LocalWindows } from '../platform/http/rate-limits/local-windows.js';

const WINDOW_MS = 60_000;

/** Counts failed logins for each address in windows of one minute. */
export class LoginAttempts {
  private readonly windows: LocalWindows;

  /** @param perMinute the number of failures in a window after which the address must wait */
  constructor(
    private readonly perMinute: number,
    now?: () => number,
  ) {
    this.windows = new LocalWindows(WINDOW_MS, now);
  }

  /** @returns seconds to wait, or 0 if the address may log in now */
  waitSeconds(address: string): number {
    const { spent, endsInMs } = this.windows.read(address);
    return spent < this.perMinute ? 0 : Math.ceil(endsInMs / 1000);
  }

  recordFailure(address: string): void {
    this.windows.spend(address);
  }
}
