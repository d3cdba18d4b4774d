import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import type { DashboardRoute } from './dashboard-route.js';
import {
  type Authenticator,
  identify,
  identifyCaller,
  type SessionAuthenticator,
} from './identify-caller.js';
import type { OwnPage } from './own-page.js';
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
  readonly sessions: SessionAuthenticator;
  readonly ownPage: OwnPage;
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

  /**
   * Admits a request to a route of the dashboard. Only a page of this server may send a request that changes
   * something. The Authorization header is not read.
   * @returns undefined if the route needs no session
   * @throws ApiError `forbidden`, `unauthorized` or `rate_limit_exceeded`
   */
  async admitBrowser(
    request: FastifyRequest,
    reply: FastifyReply,
    { access, isPassive = false }: DashboardRoute,
  ): Promise<Caller | undefined> {
    void reply.headers(PRIVATE_RESPONSE);
    const { limiter, sessions, ownPage } = this.services;
    if (!isRead(request)) ownPage.assertSent(request.headers);
    if (access === 'anyone') return void (await this.admitAnyone(request, reply));
    if (access === 'sign_in') return void enforce(await limiter.spendOfSignIn(request.ip), reply);
    const isActivity = !isPassive && request.headers[BACKGROUND_HEADER] !== '1';
    const authenticate = (beforeLookUp: () => Promise<void>) =>
      sessions.authenticate(request.headers.cookie, isActivity, beforeLookUp);
    const caller = await identify(limiter, authenticate, request, reply);
    if (caller.sessionId === null) throw new Error('expected the caller of a session');
    const isWrite =
      !isRead(request) && !isPassive && request.routeOptions.config.operation?.effect !== 'none';
    enforce(await limiter.spendOfSession(caller.sessionId, isWrite), reply);
    return caller;
  }

  /** @throws ApiError `forbidden` or `quota_exceeded` */
  allow(caller: Caller, operation: Operation): void {
    if (operation.role === 'public') return;
    assertAllowed(caller, operation);
    if (caller.sessionId === null) this.services.meter.admit(caller, operation.calls);
  }
}

/** A page sends this header with the value 1 in calls that it repeats without the user. */
const BACKGROUND_HEADER = 'understudy-background';

/** Keeps responses of the dashboard out of shared caches, and lets a page ask whether a response has changed. */
const PRIVATE_RESPONSE = { 'cache-control': 'private, no-cache' };

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function assertAllowed({ role, scopes, sessionId }: Caller, operation: ProtectedOperation): void {
  const holder = sessionId === null ? 'token' : 'session';
  if (!roleIncludes(role, operation.role)) {
    const message = `This operation needs the role ${operation.role} or a higher one; the ${holder} has ${role}.`;
    throw new ApiError('forbidden', message);
  }
  if (operation.scope !== null && !scopesInclude(scopes, operation.scope))
    throw new ApiError('forbidden', `The ${holder} is restricted to scopes and lacks ${operation.scope}.`);
}
