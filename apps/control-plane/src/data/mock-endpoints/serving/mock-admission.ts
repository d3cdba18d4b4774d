import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError, notFound } from '../../../platform/http/errors/api-error.js';
import { callerOf } from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import { Authenticator, identifyCaller } from '../../../platform/http/pipeline/identify-caller.js';
import { enforce, RateLimiter } from '../../../platform/http/rate-limits/rate-limiter.js';
import { scopesInclude } from '../../../platform/http/pipeline/scope.js';
import type { ServedEndpoint } from './served-endpoint.js';
import { ServedEndpoints } from './served-endpoints.js';

/**
 * Finds the endpoint of a request and checks whether the caller may use it. It checks, in this order, that
 * the endpoint exists (404), the token (401, or 404 for a token of another organisation), the token's scopes
 * (403), and the rate limit (429). A request of the dashboard has a session in place of a token.
 */
@Injectable()
export class MockAdmission {
  constructor(
    private readonly endpoints: ServedEndpoints,
    readonly limiter: RateLimiter,
    readonly authenticator: Authenticator,
  ) {}

  /**
   * Admits a call and counts it against the endpoint's own rate limit. A request for an unknown endpoint or
   * with a refused token counts against the limit of the client's address instead.
   * @throws ApiError
   */
  async admit(endpointId: string, request: FastifyRequest, reply: FastifyReply): Promise<ServedEndpoint> {
    const found = this.endpoints.find(endpointId);
    const endpoint = found instanceof Promise ? await found : found;
    if (!endpoint) return this.refuse(notFound(), request, reply);
    const session = callerOf(request);
    if (session) await this.allow(session, endpoint, request, reply);
    // A browser's preflight request carries no token.
    else if (endpoint.auth === 'token' && request.method !== 'OPTIONS')
      await this.allow(await identifyCaller(this, request, reply), endpoint, request, reply);
    const allowance = this.limiter.spendOfEndpoint(endpoint);
    enforce(allowance instanceof Promise ? await allowance : allowance, reply);
    return endpoint;
  }

  private async allow(
    caller: Caller,
    { organizationId }: ServedEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (caller.organizationId !== organizationId) await this.refuse(notFound(), request, reply);
    if (!scopesInclude(caller.scopes, 'endpoints:read')) {
      const holder = caller.sessionId === null ? 'token' : 'session';
      const message = `The ${holder} is restricted to scopes and lacks endpoints:read.`;
      await this.refuse(new ApiError('forbidden', message), request, reply);
    }
  }

  private async refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<never> {
    enforce(await this.limiter.spendOfAddress(request.ip), reply);
    throw error;
  }
}
