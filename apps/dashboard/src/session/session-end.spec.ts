import { nextCheckMs, sessionEnd } from './session-end.js';
import type { Session } from './session.js';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 25, 10) + minutes * 60_000).toISOString();
const session = (idle: number, absolute: number, now: number) =>
  ({ idle_ends_at: at(idle), ends_at: at(absolute), now: at(now) }) as Session;
const MINUTE = 60_000;

describe('sessionEnd', () => {
  it('counts from the response of the server, even if the clock of this device is wrong', () => {
    for (const receivedAt of [0, 1_000_000_000, Date.UTC(2040, 0, 1)])
      expect(sessionEnd(session(60, 720, 10), receivedAt, receivedAt + 5 * MINUTE)).toEqual({
        remainingMs: 45 * MINUTE,
        isExtendable: true,
      });
  });

  it('is the absolute end if that comes first, and then cannot be moved', () => {
    expect(sessionEnd(session(720, 720, 700), 0, 0)).toEqual({
      remainingMs: 20 * MINUTE,
      isExtendable: false,
    });
  });

  it('is not negative, and ignores a clock that was set back', () => {
    expect(sessionEnd(session(60, 720, 59), 0, 2 * MINUTE).remainingMs).toBe(0);
    expect(sessionEnd(session(60, 720, 59), 10 * MINUTE, 0).remainingMs).toBe(MINUTE);
  });
});

describe('nextCheckMs', () => {
  it.each([
    [60 * MINUTE, MINUTE],
    [2.5 * MINUTE, 0.5 * MINUTE],
    [2 * MINUTE, MINUTE],
    [0.5 * MINUTE, 0.5 * MINUTE],
    [0, 0],
  ])('is for an end in %i ms %i ms', (remainingMs, expected) => {
    expect(nextCheckMs({ remainingMs, isExtendable: true })).toBe(expected);
  });
});
