import { seedKey } from '@understudy/generator';
import { deriveKey, RandomStream } from '@understudy/random';

import type { MockResponse } from '../mock-response.js';

/** The simulated failure and delay of one call. */
export interface CallOutcome {
  readonly fails: boolean;
  readonly latencyMs: number;
}

/**
 * Derives the outcome from the seed of the call. Two calls of one endpoint with the same seed have the same
 * delay, and both fail or both succeed.
 */
export function callOutcome(
  { fail_rate, latency_ms }: Pick<MockResponse, 'fail_rate' | 'latency_ms'>,
  seed: number,
): CallOutcome {
  const isFixed = typeof latency_ms === 'number';
  if (isFixed && fail_rate === 0) return { fails: false, latencyMs: latency_ms };
  const random = new RandomStream().seek(deriveKey(seedKey(seed), 'outcome of a call'), 0);
  const fails = random.float53() < fail_rate;
  if (isFixed) return { fails, latencyMs: latency_ms };
  const { min, max } = latency_ms;
  return { fails, latencyMs: min + Math.floor(random.float53() * (max - min + 1)) };
}
