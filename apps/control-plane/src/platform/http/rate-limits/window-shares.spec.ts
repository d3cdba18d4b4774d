import fc from 'fast-check';

import type { Allowance } from './rate-limiter.js';
import { WindowShares } from './window-shares.js';

const WINDOW_SECONDS = 60;

/** Simulates a rate-limit window in Redis. */
class Window {
  consumed = 0;

  constructor(
    private readonly limit: number,
    private readonly burst: number,
  ) {}

  readonly take = (points: number): Promise<Allowance> => {
    this.consumed += points;
    const { limit, burst, consumed } = this;
    const remaining = Math.max(0, limit - consumed);
    const passes = consumed <= limit + burst;
    return Promise.resolve({ passes, limit, remaining, resetsAt: 0, retryAfterSeconds: WINDOW_SECONDS });
  };
}

const windows = fc.record({ limit: fc.integer({ min: 1, max: 3_000 }), burst: fc.nat(200) });
const spendOne = (shares: WindowShares, window: Window) =>
  shares.spend('key') ?? shares.take('key', window.take);

it('allows exactly as many requests as the window has, and reports the remaining number', async () => {
  await fc.assert(
    fc.asyncProperty(windows, async ({ limit, burst }) => {
      const shares = new WindowShares();
      const window = new Window(limit, burst);
      for (let spent = 1; spent <= limit + burst; spent += 1) {
        const { passes, remaining } = await spendOne(shares, window);
        if (!passes || remaining !== Math.max(0, limit - spent)) throw new Error(`request ${spent}`);
      }
      expect(await spendOne(shares, window)).toMatchObject({ passes: false, remaining: 0 });
    }),
    { numRuns: 30 },
  );
});

it('never allows more requests than the window has, for any number of concurrent requests and processes', async () => {
  await fc.assert(
    fc.asyncProperty(windows, fc.integer({ min: 1, max: 4 }), async ({ limit, burst }, processes) => {
      const window = new Window(limit, burst);
      const all = Array.from({ length: processes }, () => new WindowShares());
      let passed = 0;
      for (let round = 0; round < 100; round += 1) {
        const asked = Array.from({ length: 50 }, (_, i) =>
          spendOne(all[(round + i) % processes] as WindowShares, window),
        );
        for (const { passes } of await Promise.all(asked)) passed += passes ? 1 : 0;
      }
      expect(passed).toBeLessThanOrEqual(limit + burst);
      expect(passed).toBeGreaterThanOrEqual(Math.min(5_000, Math.floor((limit + burst) * 0.9)));
    }),
    { numRuns: 8 },
  );
});

it('queries Redis rarely for a busy window, and starts a new window with its first request', async () => {
  let nowMs = 0;
  const shares = new WindowShares(() => nowMs);
  const window = new Window(100_000, 0);
  let questions = 0;
  const take = (points: number) => {
    questions += 1;
    return window.take(points);
  };
  for (let i = 0; i < 10_000; i += 1) if (!shares.spend('key')) await shares.take('key', take);
  expect(questions).toBeLessThan(100);
  nowMs = WINDOW_SECONDS * 1_000;
  expect(shares.spend('key')).toBeUndefined();
});
