import fc from 'fast-check';

import { callOutcome } from './call-outcome.js';

const seeds = fc.nat({ max: Number.MAX_SAFE_INTEGER });

it('returns the same latency and failure for the same seed, within the bounds of the endpoint', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.nat(1_000),
      fc.nat(1_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (seed, a, b, rate) => {
        const latency_ms = { min: Math.min(a, b), max: Math.max(a, b) };
        const outcome = callOutcome({ latency_ms, fail_rate: rate }, seed);
        expect(callOutcome({ latency_ms, fail_rate: rate }, seed)).toEqual(outcome);
        expect(outcome.latencyMs).toBeGreaterThanOrEqual(latency_ms.min);
        expect(outcome.latencyMs).toBeLessThanOrEqual(latency_ms.max);
        expect(callOutcome({ latency_ms: a, fail_rate: 0 }, seed)).toEqual({ fails: false, latencyMs: a });
        expect(callOutcome({ latency_ms: a, fail_rate: 1 }, seed).fails).toBe(true);
      },
    ),
  );
});

it('fails calls at the rate of the endpoint, and uses every latency of its range', () => {
  const outcomes = Array.from({ length: 10_000 }, (_, seed) =>
    callOutcome({ latency_ms: { min: 3, max: 5 }, fail_rate: 0.3 }, seed),
  );
  expect(outcomes.filter(({ fails }) => fails).length / outcomes.length).toBeCloseTo(0.3, 1);
  expect(new Set(outcomes.map(({ latencyMs }) => latencyMs))).toEqual(new Set([3, 4, 5]));
});
