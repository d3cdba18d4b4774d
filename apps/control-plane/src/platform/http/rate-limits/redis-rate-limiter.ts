import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import { Configuration } from '../../config/configuration.js';
import { redisTls } from '../../config/service-tls.js';
import { RepeatedWarning } from '../../repeated-warning.js';
import { PLANS, type Plan, type PlanLimits } from '../../config/plans.js';
import type { Caller } from '../pipeline/caller.js';
import { LocalWindows } from './local-windows.js';
import { RateLimiter, type AddressPoint, type Allowance } from './rate-limiter.js';
import { addressKey } from './address-key.js';
import { WindowShares } from './window-shares.js';

/**
 * Time for which this process does not use Redis after a failure. Without this pause, an unresponsive Redis
 * would delay every request.
 */
const ASK_AGAIN_AFTER_MS = 1_000;

interface CountedAllowance extends Allowance {
  /** True if this process counted the request because Redis did not respond. */
  readonly isLocal: boolean;
}

interface Window {
  readonly limiter: RateLimiterRedis;
  /** Number of requests that are allowed in one window, without the burst. */
  readonly limit: number;
  /** `limit` plus the burst. */
  readonly points: number;
}

/**
 * Rate-limit windows in Redis that all processes share. A window starts with its first request and lets
 * `limit` plus `burst` requests pass. If Redis is unavailable, this process counts in its own windows with
 * the same limits.
 */
@Injectable()
export class RedisRateLimiter extends RateLimiter implements OnModuleInit, OnApplicationShutdown {
  private readonly warning = new RepeatedWarning(new Logger(RedisRateLimiter.name));
  private readonly redis: Redis;
  private readonly settings: Configuration['rateLimits'];
  private readonly byPlan: Readonly<Record<Plan, Window>>;
  private readonly byAddress: Window;
  private readonly byAgent: Window;
  private readonly bySession: Window;
  private readonly writesBySession: Window;
  private readonly signInsByAddress: Window;
  private readonly shares = new WindowShares();
  private readonly local: LocalWindows;
  /** Milliseconds of the clock `performance.now`. */
  private awayUntil = 0;

  constructor({ redis, planLimits, rateLimits }: Configuration) {
    super();
    this.settings = rateLimits;
    this.local = new LocalWindows(rateLimits.windowSeconds * 1000);
    this.redis = new Redis(redis.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      ...redisTls(redis.url, redis.outbound),
    });
    // `logAway` logs the failure when a request needs Redis.
    this.redis.on('error', () => undefined);
    const entries = PLANS.map((plan) => [plan, this.windowOf(planLimits[plan])] as const);
    this.byPlan = Object.fromEntries(entries) as Record<Plan, Window>;
    const withoutBurst = (requests_per_minute: number) => this.windowOf({ requests_per_minute, burst: 0 });
    this.byAddress = withoutBurst(rateLimits.anonymousPerMinute);
    this.byAgent = withoutBurst(rateLimits.agentPerMinute);
    this.bySession = withoutBurst(rateLimits.sessionPerMinute);
    this.writesBySession = withoutBurst(rateLimits.sessionWritesPerMinute);
    this.signInsByAddress = withoutBurst(rateLimits.signInsPerMinute);
  }

  /**
   * Waits for the connection to Redis, so that Redis also counts the first requests. Waits at most
   * `redisTimeoutMs`.
   */
  async onModuleInit(): Promise<void> {
    if (this.redis.status === 'ready') return;
    const connected = new Promise<void>((resolve) => {
      this.redis.once('ready', resolve).once('close', resolve);
    });
    await within(this.settings.redisTimeoutMs, connected).catch(() => undefined);
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
    return this.shares.spend(endpointId);
  }

  spendOfAgent(agentId: string): Promise<Allowance> {
    return this.spend(this.byAgent, agentId);
  }

  async spendOfSession(sessionId: string, isWrite: boolean): Promise<Allowance> {
    const allowance = await this.spend(this.bySession, sessionId);
    return isWrite && allowance.passes ? this.spend(this.writesBySession, `${sessionId}:writes`) : allowance;
  }

  spendOfSignIn(address: string): Promise<Allowance> {
    return this.spend(this.signInsByAddress, `sign-in:${addressKey(address)}`);
  }

  async spendOfAddress(address: string): Promise<AddressPoint> {
    const key = addressKey(address);
    const { isLocal, ...allowance } = await this.spend(this.byAddress, key);
    return {
      ...allowance,
      giveBack: async () => {
        if (isLocal) return void this.local.spend(key, -1);
        // If this fails, the address can send one request less in this window.
        const returned = this.byAddress.limiter.reward(key);
        await within(this.settings.redisTimeoutMs, returned).catch(() => this.logAway());
      },
    };
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
      keyPrefix: 'understudy:rate', // the same prefix for all plans, so that a change of plan keeps the window
      points,
      duration: this.settings.windowSeconds,
      rejectIfRedisNotReady: true,
    });
    return { limiter, limit: requests_per_minute, points };
  }

  /** @param points number of points to spend */
  private async spend(window: Window, key: string, points = 1): Promise<CountedAllowance> {
    if (performance.now() < this.awayUntil) return this.spendHere(window, key, points);
    const { limiter, limit } = window;
    try {
      return toAllowance(await within(this.settings.redisTimeoutMs, limiter.consume(key, points)), {
        passes: true,
        limit,
        isLocal: false,
      });
    } catch (refused) {
      if (refused instanceof RateLimiterRes)
        return toAllowance(refused, { passes: false, limit, isLocal: false });
      this.logAway();
      return this.spendHere(window, key, points);
    }
  }

  private spendHere({ limit, points: allowed }: Window, key: string, points: number): CountedAllowance {
    const { spent, endsInMs } = this.local.spend(key, points);
    return toAllowance(
      { consumedPoints: spent, msBeforeNext: endsInMs },
      { passes: spent <= allowed, limit, isLocal: true },
    );
  }

  private logAway(): void {
    this.awayUntil = performance.now() + ASK_AGAIN_AFTER_MS;
    this.warning.warn('Redis does not respond; this process counts requests for itself');
  }
}

/**
 * Rejects if no response arrives within `ms`. If the event loop is blocked at the timeout, a response that
 * arrives while it is blocked still counts. The command timeout of ioredis would ignore such a response.
 */
function within<T>(ms: number, response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('no response in time'));
    const timer = setTimeout(() => setImmediate(late), ms);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toAllowance(
  { consumedPoints, msBeforeNext }: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
  counted: Pick<CountedAllowance, 'passes' | 'limit' | 'isLocal'>,
): CountedAllowance {
  return {
    ...counted,
    remaining: Math.max(0, counted.limit - consumedPoints),
    resetsAt: Math.ceil((Date.now() + msBeforeNext) / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  };
}
