import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import { Configuration, type RateLimitsConfiguration } from '../../config/configuration.js';
import { PLANS, type Plan, type PlanLimits } from '../../config/plans.js';
import type { Caller } from '../pipeline/caller.js';
import { LocalWindows } from './local-windows.js';
import { RateLimiter, type Allowance } from './rate-limiter.js';
import { addressKey } from './address-key.js';
import { WindowShares } from './window-shares.js';

/** After a failure nothing is asked for this long: a Redis that hangs must not slow every request down. */
const ASK_AGAIN_AFTER_MS = 1_000;

interface Window {
  readonly limiter: RateLimiterRedis;
  /** Of one window; the burst comes on top. */
  readonly limit: number;
  /** That pass in one window. */
  readonly points: number;
}

/**
 * Windows in Redis, shared by all processes. One begins with its first request; `limit` and `burst` requests of it pass.
 * While Redis is away, windows of this process cap each caller at the same numbers.
 */
@Injectable()
export class RedisRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(RedisRateLimiter.name);
  private readonly redis: Redis;
  private readonly settings: RateLimitsConfiguration;
  private readonly byPlan: Readonly<Record<Plan, Window>>;
  private readonly byAddress: Window;
  private readonly shares = new WindowShares();
  private readonly local: LocalWindows;
  private awayUntil = 0;

  constructor({ redis, planLimits, rateLimits }: Configuration) {
    super();
    this.settings = rateLimits;
    this.local = new LocalWindows(rateLimits.windowSeconds * 1000);
    this.redis = new Redis(redis.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    // Said once where it matters, in `spend`.
    this.redis.on('error', () => undefined);
    const entries = PLANS.map((plan) => [plan, this.windowOf(planLimits[plan])] as const);
    this.byPlan = Object.fromEntries(entries) as Record<Plan, Window>;
    const anonymous = { requests_per_minute: rateLimits.anonymousPerMinute, burst: 0 };
    this.byAddress = this.windowOf(anonymous);
  }

  /** The first requests are counted too, unless Redis is away. */
  async onModuleInit(): Promise<void> {
    if (this.redis.status === 'ready') return;
    const connected = new Promise<void>((resolve) => {
      this.redis.once('ready', resolve).once('close', resolve);
    });
    await within(this.settings.answerWithinMs, connected).catch(() => undefined);
  }

  spendOfOrganization({ organizationId, plan }: Pick<Caller, 'organizationId' | 'plan'>): Promise<Allowance> {
    return this.spend(this.byPlan[plan], organizationId);
  }

  spendOfEndpoint({
    id,
    plan,
  }: {
    readonly id: string;
    readonly plan: Plan;
  }): Allowance | Promise<Allowance> {
    const window = this.byPlan[plan];
    return this.spendShareOfEndpoint(id) ?? this.shares.take(id, (points) => this.spend(window, id, points));
  }

  spendShareOfEndpoint(endpointId: string): Allowance | undefined {
    return this.shares.spend(endpointId, Date.now());
  }

  spendOfAddress(address: string): Promise<Allowance> {
    return this.spend(this.byAddress, addressKey(address));
  }

  async returnToAddress(address: string): Promise<void> {
    const key = addressKey(address);
    if (Date.now() < this.awayUntil) return void this.local.spend(key, -1);
    // Not given back: the address has one request less in this window.
    await within(this.settings.answerWithinMs, this.byAddress.limiter.reward(key)).catch(() =>
      this.logAway(),
    );
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  private windowOf({
    requests_per_minute,
    burst,
  }: Pick<PlanLimits, 'requests_per_minute' | 'burst'>): Window {
    const points = requests_per_minute + burst;
    const limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'understudy:rate', // the same for all plans: a change of plan keeps the window
      points,
      duration: this.settings.windowSeconds,
      rejectIfRedisNotReady: true,
    });
    return { limiter, limit: requests_per_minute, points };
  }

  /** @param points that are taken; all of them or none */
  private async spend(window: Window, key: string, points = 1): Promise<Allowance> {
    if (Date.now() < this.awayUntil) return this.spendHere(window, key, points);
    const { limiter, limit } = window;
    try {
      return toAllowance(await within(this.settings.answerWithinMs, limiter.consume(key, points)), {
        passes: true,
        limit,
      });
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return toAllowance(refused, { passes: false, limit });
      this.logAway();
      return this.spendHere(window, key, points);
    }
  }

  private spendHere({ limit, points: allowed }: Window, key: string, points: number): Allowance {
    const { spent, endsInMs } = this.local.spend(key, points);
    return toAllowance(
      { consumedPoints: spent, msBeforeNext: endsInMs },
      { passes: spent <= allowed, limit },
    );
  }

  private logAway(): void {
    this.awayUntil = Date.now() + ASK_AGAIN_AFTER_MS;
    this.logger.warn('Redis does not answer: this process counts requests for itself');
  }
}

/**
 * Rejects when there is no answer in time. When this process itself was busy for so long, the answer may be waiting to be
 * read: that is done first, as it is not Redis that was slow. (A command's own time-out in ioredis does not wait for that.)
 */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('no answer in time'));
    const timer = setTimeout(() => setImmediate(late), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toAllowance(
  { consumedPoints, msBeforeNext }: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
  { passes, limit }: { passes: boolean; limit: number },
): Allowance {
  return {
    passes,
    limit,
    remaining: Math.max(0, limit - consumedPoints),
    resetsAt: Math.ceil((Date.now() + msBeforeNext) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}
