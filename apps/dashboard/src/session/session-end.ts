import type { Session } from './session.js';

/** The reader gets a warning this long before the session ends. */
export const WARNING_MS = 120_000;

/** Timers cannot wait longer than 2^31 ms, and a long timer is late after the machine slept. */
const MAX_WAIT_MS = 60_000;

export interface SessionEnd {
  /** The time until the session ends, at least 0. */
  readonly remainingMs: number;
  /** True if "stay signed in" moves the end. False if the session is as old as it may become. */
  readonly isExtendable: boolean;
}

/**
 * Returns when the session ends. Only differences of times of the same clock are used, so a wrong clock of this device
 * does not matter.
 * @param receivedAt the time of this device when it received the session, in ms
 * @param now the present time of this device, in ms
 */
export function sessionEnd(session: Session, receivedAt: number, now: number): SessionEnd {
  const [idle, absolute, atResponse] = [session.idle_ends_at, session.ends_at, session.now].map(
    Date.parse,
  ) as [number, number, number];
  const passed = Math.max(0, now - receivedAt);
  return {
    remainingMs: Math.max(0, Math.min(idle, absolute) - atResponse - passed),
    isExtendable: idle < absolute,
  };
}

/** Returns the time until the page must look at the session again. */
export function nextCheckMs({ remainingMs }: SessionEnd): number {
  const untilWarning = remainingMs - WARNING_MS;
  return Math.min(MAX_WAIT_MS, untilWarning > 0 ? untilWarning : remainingMs);
}
