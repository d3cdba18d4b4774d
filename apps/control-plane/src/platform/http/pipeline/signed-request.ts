import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ApiError } from '../errors/api-error.js';
import {
  enforce,
  rateLimitExceeded,
  rateLimitHeaders,
  type RateLimiter,
} from '../rate-limits/rate-limiter.js';
import type { ApiRequest } from './caller-request.js';

/** A request to an operation that agents sign. */
export interface SignedRequest extends ApiRequest {
  /**
   * Counts the request for the agent. Call this method after the signature proved to be genuine, and before
   * anything is written.
   * @throws ApiError `rate_limit_exceeded` if this agent has sent too many requests
   */
  countForAgent(agentId: string): Promise<void>;
}

interface Count extends SignedRequest {
  /** Counts the request for its address, unless it was counted for an agent. */
  countForAddress(error: ApiError): Promise<ApiError>;
}

const counts = new WeakMap<FastifyRequest, Count>();

/**
 * Registers a request that is counted only after its signature was checked. Agents share addresses: all of
 * them may be behind one proxy. A genuine request is counted for its agent, and never for its address. Any
 * other request is counted for its address when it is refused, see {@link countRefusal}.
 */
export function countLater(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): void {
  let isCounted = false;
  counts.set(request, {
    id: request.id,
    countForAgent: async (agentId) => {
      isCounted = true;
      enforce(await limiter.spendOfAgent(agentId), reply);
    },
    countForAddress: async (error) => {
      if (isCounted) return error;
      isCounted = true;
      const allowance = await limiter.spendOfAddress(request.ip);
      void reply.headers(rateLimitHeaders(allowance));
      return allowance.passes || error.status >= 500 ? error : rateLimitExceeded(allowance);
    },
  });
}

/**
 * Counts a refused request for the address of the client, if its signature was not genuine.
 * @returns the error to respond with: `rate_limit_exceeded` if the limit of the address is reached, otherwise
 *   the same error. Undefined if agents do not sign the operation.
 */
export function countRefusal(request: FastifyRequest, error: ApiError): Promise<ApiError> | undefined {
  return counts.get(request)?.countForAddress(error);
}

/** Injects the request of a route that agents sign. */
export const FromAgent = createParamDecorator((_: unknown, context: ExecutionContext): SignedRequest => {
  const request = counts.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!request) throw new Error('expected an operation with `signedBy` in the table of operations');
  return request;
});
