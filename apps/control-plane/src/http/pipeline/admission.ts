import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { type Authenticator, identifyCaller } from './identify-caller.js';
import { roleIncludes, type Caller } from './caller.js';
import type { Operation, ProtectedOperation, Calls } from '../operations/operation.js';
import {
  rateLimitExceeded,
  rateLimitHeaders,
  type Allowance,
  type RateLimiter,
} from '../rate-limits/rate-limiter.js';
import { scopesInclude } from './scope.js';

/** Port of the HTTP edge; the usage feature implements it. */
export abstract class CallMeter {
  /** Counts a call that is about to be served. @throws ApiError `quota_exceeded` instead, when the plan's calls are used */
  abstract admit(caller: Caller, calls: Calls): void;
}

export interface AdmissionServices {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly meter: CallMeter;
}

/** Who asks and whether they may, before anything else is known: 401, then 429, then 403, then 402. */
export class Admission {
  constructor(private readonly services: AdmissionServices) {}

  /** For routes and paths that ask for no token. @throws ApiError `rate_limit_exceeded` */
  async admitAnyone(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    enforce(await this.services.limiter.spendOfAddress(request.ip), reply);
  }

  /** @throws ApiError `unauthorized` or `rate_limit_exceeded` */
  async admitCaller(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const caller = await identifyCaller(this.services, request, reply);
    enforce(await this.services.limiter.spendOfOrganization(caller), reply);
    return caller;
  }

  /** @throws ApiError `forbidden` or `quota_exceeded` */
  allow(caller: Caller, operation: Operation): void {
    if (operation.role === 'public') return;
    assertAllowed(caller, operation);
    this.services.meter.admit(caller, operation.calls);
  }
}

function enforce(allowance: Allowance, reply: FastifyReply): void {
  void reply.headers(rateLimitHeaders(allowance));
  if (!allowance.passes) throw rateLimitExceeded(allowance);
}

function assertAllowed({ role, scopes }: Caller, operation: ProtectedOperation): void {
  if (!roleIncludes(role, operation.role)) {
    const message = `This needs the role ${operation.role} or a higher one; the token has ${role}.`;
    throw new ApiError('forbidden', message);
  }
  if (!scopesInclude(scopes, operation.scope))
    throw new ApiError('forbidden', `The token is narrowed to scopes, and lacks ${operation.scope}.`);
}
