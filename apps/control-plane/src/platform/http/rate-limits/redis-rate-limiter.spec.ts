import { Logger } from '@nestjs/common';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import { DEFAULTS, type Configuration } from '../../config/configuration.js';
import { DEFAULT_PLAN_LIMITS } from '../../config/plans.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const HOUR_MS = 3_600_000;

let limiter: RedisRateLimiter;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const redis = { url: 'redis://127.0.0.1:1' }; // nothing listens there
  limiter = new RedisRateLimiter({
    redis,
    planLimits: DEFAULT_PLAN_LIMITS,
    rateLimits: DEFAULTS.rateLimits,
  } as Configuration);
});
afterEach(() => {
  limiter.onApplicationShutdown();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it.each([
  ['an hour back', -HOUR_MS],
  ['an hour ahead', HOUR_MS],
])('asks Redis again a second after a failure, and not before, if the clock jumps %s', async (_, jumpMs) => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const questions = jest.spyOn(RateLimiterRedis.prototype, 'consume');
  await limiter.spendOfAgent('agent');
  expect(questions).toHaveBeenCalledTimes(1);
  jest.setSystemTime(Date.now() + jumpMs);
  jest.advanceTimersByTime(999);
  await limiter.spendOfAgent('agent');
  expect(questions).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(1);
  await limiter.spendOfAgent('agent');
  expect(questions).toHaveBeenCalledTimes(2);
});
