import { LocalWindows } from '../http/rate-limits/local-windows.js';

const WINDOW_MS = 60_000;

/** Failed attempts to log in, a minute and an address at a time. */
export class LoginAttempts {
  private readonly windows: LocalWindows;

  /** @param perMinute attempts of one address that may fail before all of its attempts are refused */
  constructor(
    private readonly perMinute: number,
    now?: () => number,
  ) {
    this.windows = new LocalWindows(WINDOW_MS, now);
  }

  /** @returns seconds to wait; 0 when the address may try */
  waitSeconds(address: string): number {
    const { spent, endsInMs } = this.windows.read(address);
    return spent < this.perMinute ? 0 : Math.ceil(endsInMs / 1000);
  }

  recordFailure(address: string): void {
    this.windows.spend(address);
  }
}
