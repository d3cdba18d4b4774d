import type { FastifyReply } from 'fastify';

import type { Plan } from '../../config/plans.js';
import { ApiError } from '../errors/api-error.js';
import type { Caller } from '../pipeline/caller.js';

/** The state of a rate-limit window after one request. */
export interface Allowance {
  readonly passes: boolean;
  /** Number of requests that are allowed in one window, without the burst. */
  readonly limit: number;
  /**
   * Number of requests that are left of `limit`. 0 if only requests of the burst are left, or no requests.
   */
  readonly remaining: number;
  /** Time at which the window ends, in seconds since the Unix epoch. */
  readonly resetsAt: number;
  readonly retryAfterSeconds: number;
}

/** A point that was spent in the window of an address. */
export interface AddressPoint extends Allowance {
  /** Gives the point back to the window. Call this method if the token of the request proves to be valid. */
  giveBack(): Promise<void>;
}

/**
 * Counts requests. `RedisRateLimiter` implements this class. Its methods never throw. If Redis is
 * unavailable, each process counts its own requests.
 */
export abstract class RateLimiter {
  abstract spendOfOrganization(caller: Pick<Caller, 'organizationId' | 'plan'>): Promise<Allowance>;

  /**
   * Counts a call of a mock endpoint. Each endpoint has its own window, with the limits of its organisation's
   * plan. If this process holds a share of the window (see `WindowShares`), the result is synchronous.
   * `remaining` may then be too high, because other processes may have spent points since this process
   * acquired the share.
   */
  abstract spendOfEndpoint(endpoint: {
    readonly id: string;
    readonly plan: Plan;
  }): Allowance | Promise<Allowance>;

  /**
   * Spends a point of the share that this process holds. The returned allowance always has `passes: true`.
   * @returns undefined, without spending a point, if this process holds no share
   */
  abstract spendShareOfEndpoint(endpointId: string): Allowance | undefined;

  /** Counts a request that an agent has signed. Each agent has its own window. */
  abstract spendOfAgent(agentId: string): Promise<Allowance>;

  /**
   * Counts a call of a session. Each session has a window for all calls, and a smaller one for its writes.
   * @returns the state of the window for writes if the call is a write that the window for all calls admits
   */
  abstract spendOfSession(sessionId: string, isWrite: boolean): Promise<Allowance>;

  /**
   * Counts an attempt to sign in to the dashboard.
   * @param address the client's address
   */
  abstract spendOfSignIn(address: string): Promise<Allowance>;

  /**
   * Counts a request whose token is missing, or not known to be valid.
   * @param address the client's address
   */
  abstract spendOfAddress(address: string): Promise<AddressPoint>;
}

export function rateLimitHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetsAt),
  };
}

/**
 * Adds the headers of an allowance to the response.
 * @throws ApiError `rate_limit_exceeded`
 */
export function enforce(allowance: Allowance, reply: Pick<FastifyReply, 'headers'>): void {
  void reply.headers(rateLimitHeaders(allowance));
  if (!allowance.passes) throw rateLimitExceeded(allowance);
}

export function rateLimitExceeded({ limit, retryAfterSeconds }: Allowance): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Too many requests: the limit is ${limit} a minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
