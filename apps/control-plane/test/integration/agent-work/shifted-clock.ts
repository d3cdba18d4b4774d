/**
 * Sets the clock of this process off by so much: `new Date()` and `Date.now()`. Timers, and the clocks of the services, go on as they were.
 * @returns how to set it right again
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
