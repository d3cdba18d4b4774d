import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import type { Caller } from './caller.js';
import {
  rateLimitExceeded,
  rateLimitHeaders,
  type AddressPoint,
  type RateLimiter,
} from '../rate-limits/rate-limiter.js';

/** Authenticates callers. The tokens feature implements this class. */
export abstract class Authenticator {
  /**
   * Returns the caller that a bearer token authenticates.
   * @param header the Authorization header as received
   * @param beforeLookUp awaited before a database query for a token that is not in the cache of valid tokens
   * @throws ApiError `unauthorized`, identical for every reason, and anything that `beforeLookUp` throws
   */
  abstract authenticate(header: string | undefined, beforeLookUp: () => Promise<void>): Promise<Caller>;
}

/** Authenticates the browsers that use the dashboard. The sessions feature implements this class. */
export abstract class SessionAuthenticator {
  /**
   * Returns the caller that the cookie of a session authenticates.
   * @param cookies the Cookie header as received
   * @param isActivity whether the call extends the idle time of the session
   * @param beforeLookUp as for {@link Authenticator.authenticate}
   * @throws ApiError `unauthorized`, identical for every reason, and anything that `beforeLookUp` throws
   */
  abstract authenticate(
    cookies: string | undefined,
    isActivity: boolean,
    beforeLookUp: () => Promise<void>,
  ): Promise<Caller>;
}

/**
 * Authenticates the caller by the bearer token.
 * @throws ApiError as {@link identify} does
 */
export function identifyCaller(
  { authenticator, limiter }: { readonly authenticator: Authenticator; readonly limiter: RateLimiter },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { authorization } = request.headers;
  const authenticate = (beforeLookUp: () => Promise<void>) =>
    authenticator.authenticate(authorization, beforeLookUp);
  return identify(limiter, authenticate, request, reply);
}

/**
 * Authenticates the caller of a request. A request without a valid token or cookie spends a point of the rate-limit window
 * of the client's address. For a token that is not in the cache of valid tokens, the point is spent before the
 * database query, and given back if the token is valid.
 * @param authenticate calls an authenticator with the given `beforeLookUp`
 * @throws ApiError `unauthorized`, or `rate_limit_exceeded` if the limit is reached
 */
export async function identify(
  limiter: RateLimiter,
  authenticate: (beforeLookUp: () => Promise<void>) => Promise<Caller>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  let spent: AddressPoint | undefined;
  try {
    const caller = await authenticate(async () => {
      spent = await limiter.spendOfAddress(request.ip);
      if (!spent.passes) throw rateLimitExceeded(spent);
    });
    await spent?.giveBack();
    return caller;
  } catch (error) {
    const allowance = spent ?? (await limiter.spendOfAddress(request.ip));
    void reply.headers(rateLimitHeaders(allowance));
    // An error of the database query is thrown unchanged, even if the address has no points left.
    const isRefused = error instanceof ApiError && error.code === 'unauthorized';
    throw isRefused && !allowance.passes ? rateLimitExceeded(allowance) : error;
  }
}
