import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { type Authenticator, identifyCaller } from './identify-caller.js';
import { roleIncludes, type Caller } from './caller.js';
import type { Operation, ProtectedOperation, Calls } from '../operations/operation.js';
import { enforce, type RateLimiter } from '../rate-limits/rate-limiter.js';
import { scopesInclude } from './scope.js';
import { countLater } from './signed-request.js';

/** Counts API calls. The usage feature implements this class. */
export abstract class CallMeter {
  /**
   * Counts a call before it is served.
   * @throws ApiError `quota_exceeded` if the plan's calls are used up
   */
  abstract admit(caller: Caller, calls: Calls): void;
}

export interface AdmissionServices {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly meter: CallMeter;
}

/** Authenticates and authorizes a request before its body is read. Checks in the order 401, 429, 403, 402. */
export class Admission {
  constructor(private readonly services: AdmissionServices) {}

  /**
   * Admits a request that needs no token.
   * @throws ApiError `rate_limit_exceeded`
   */
  async admitAnyone(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    enforce(await this.services.limiter.spendOfAddress(request.ip), reply);
  }

  /** Lets a request pass that an agent may have signed. The request is counted after the signature is checked. */
  admitSigned(request: FastifyRequest, reply: FastifyReply): void {
    countLater(this.services.limiter, request, reply);
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

function assertAllowed({ role, scopes }: Caller, operation: ProtectedOperation): void {
  if (!roleIncludes(role, operation.role)) {
    const message = `This operation needs the role ${operation.role} or a higher one; the token has ${role}.`;
    throw new ApiError('forbidden', message);
  }
  if (!scopesInclude(scopes, operation.scope))
    throw new ApiError('forbidden', `The token is restricted to scopes and lacks ${operation.scope}.`);
}
