import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import type { Caller } from './caller.js';
import {
  rateLimitExceeded,
  rateLimitHeaders,
  type Allowance,
  type RateLimiter,
} from '../rate-limits/rate-limiter.js';

/** Port of the HTTP edge; the tokens feature implements it. */
export abstract class Authenticator {
  /**
   * @param header the Authorization header as it came
   * @param beforeLookUp awaited before the database is asked about a token that was not valid here lately
   * @throws ApiError `unauthorized`, the same for every reason; and what `beforeLookUp` throws
   */
  abstract authenticate(header: string | undefined, beforeLookUp: () => Promise<void>): Promise<Caller>;
}

/**
 * Who asks, by the bearer token. A request without a valid token spends its address's window. A token that has to be looked up
 * spends it before the database is asked, and gives the point back when it is valid.
 * @throws ApiError `unauthorized`, or `rate_limit_exceeded` when the window is used up
 */
export async function identifyCaller(
  { authenticator, limiter }: { readonly authenticator: Authenticator; readonly limiter: RateLimiter },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  let spent: Allowance | undefined;
  try {
    const caller = await authenticator.authenticate(request.headers.authorization, async () => {
      spent = await limiter.spendOfAddress(request.ip);
      if (!spent.passes) throw rateLimitExceeded(spent);
    });
    if (spent) await limiter.returnToAddress(request.ip);
    return caller;
  } catch (error) {
    const allowance = spent ?? (await limiter.spendOfAddress(request.ip));
    void reply.headers(rateLimitHeaders(allowance));
    // When tokens cannot be looked up, that is what the caller has to know.
    const isRefused = error instanceof ApiError && error.code === 'unauthorized';
    throw isRefused && !allowance.passes ? rateLimitExceeded(allowance) : error;
  }
}
