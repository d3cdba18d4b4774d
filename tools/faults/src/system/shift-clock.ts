/**
 * Preload module for a control plane (`node --import`). It moves the clock of the process ahead by
 * `FAULTS_CLOCK_AHEAD_MS` milliseconds. Timers are unchanged.
 */
const aheadMs = Number(process.env['FAULTS_CLOCK_AHEAD_MS'] ?? '0');
const RealDate = Date;
const now = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});

export {};
