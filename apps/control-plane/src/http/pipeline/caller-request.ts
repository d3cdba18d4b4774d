import type { FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

import type { Caller } from './caller.js';
import { ApiError } from '../errors/api-error.js';

/** A request as features see it: what its effects are recorded under. */
export interface ApiRequest {
  /** `req_` + ULID; also in the answer and in the log. */
  readonly id: string;
}

export interface CallerRequest extends ApiRequest {
  readonly caller: Caller;
}

/** Ours alone: what a client calls its request is never taken over. */
export const newRequestId = (): string => `req_${ulid(undefined, nextFraction)}`;

// A call of the system for each of an id's 16 characters costs more than the rest of the id.
const pool = new Uint8Array(4_096);
let used = pool.length;

function nextFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (pool[used++] as number) / 256;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Keeps who asks beside the request, where nothing the client sends can reach. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** The caller of a route that is not public: `{organizationId, role, tokenId}`. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest());
  if (!caller) throw new ApiError('unauthorized', 'This request needs a bearer token.');
  return caller;
});

/** The request of a route that is not public. */
export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext): CallerRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const caller = callerOf(request);
  if (!caller) throw new ApiError('unauthorized', 'This request needs a bearer token.');
  return { ...apiRequest(request), caller };
});

/** The request of a public route. */
export const PublicRequest = createParamDecorator((_: unknown, context: ExecutionContext): ApiRequest =>
  apiRequest(context.switchToHttp().getRequest<FastifyRequest>()),
);

function apiRequest({ id }: FastifyRequest): ApiRequest {
  return { id };
}
