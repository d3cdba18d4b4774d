import type { Plan } from '../../config/plans.js';
import { ApiError } from '../errors/api-error.js';
import type { Caller } from '../pipeline/caller.js';

/** What one request left of its caller's window. */
export interface Allowance {
  readonly passes: boolean;
  /** Requests of a window, the burst not included. */
  readonly limit: number;
  /** Of `limit`; 0 while the burst is used up. A request that does not pass always finds 0. */
  readonly remaining: number;
  /** Seconds since the Unix epoch; the window has ended then. */
  readonly resetsAt: number;
  readonly retryAfterSeconds: number;
}

/** Port of the HTTP edge; the rate-limits feature implements it. Never throws: when Redis is away, each process counts for itself. */
export abstract class RateLimiter {
  abstract spendOfOrganization(caller: Pick<Caller, 'organizationId' | 'plan'>): Promise<Allowance>;

  /**
   * For calls of a mock endpoint: each has a window of its own, as wide as that of its organisation. At once where this
   * process holds a share of the window; `remaining` may then leave out what other processes have spent since.
   */
  abstract spendOfEndpoint(endpoint: {
    readonly id: string;
    readonly plan: Plan;
  }): Allowance | Promise<Allowance>;

  /** The same where this process holds a share, else undefined and nothing is spent. What it returns passes. */
  abstract spendShareOfEndpoint(endpointId: string): Allowance | undefined;

  /** For callers without a valid token. @param address of the client */
  abstract spendOfAddress(address: string): Promise<Allowance>;

  /** Gives back a request that had a valid token after all. */
  abstract returnToAddress(address: string): Promise<void>;
}

export function rateLimitHeaders({ limit, remaining, resetsAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetsAt),
  };
}

export function rateLimitExceeded({ limit, retryAfterSeconds }: Allowance): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `These are too many requests: ${limit} a minute are allowed. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
