/**
 * Shifts `new Date()` and `Date.now()` of this process by an offset. Does not affect timers or the clocks of
 * the services.
 * @returns a function that restores the clock
 */
export function shiftClock(ms: number): () => void {
  const real = globalThis.Date;
  class Shifted extends real {
    constructor(...args: [] | [value: number | string | Date]) {
      if (args.length === 0) super(real.now() + ms);
      else super(...args);
    }
    static override now(): number {
      return real.now() + ms;
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof real;
    }
  }
  globalThis.Date = Shifted as DateConstructor;
  return () => {
    globalThis.Date = real;
  };
}
