import type { FastifyRequest } from 'fastify';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

import type { Caller } from './caller.js';
import { ApiError } from '../errors/api-error.js';

/** The part of a request that the audit log records with each change that the request makes. */
export interface ApiRequest {
  /** `req_` and a ULID. It is also in the response and in the log. */
  readonly id: string;
}

export interface CallerRequest extends ApiRequest {
  readonly caller: Caller;
}

/** Creates a request id. A request id that the client sends is ignored. */
export const newRequestId = (): string => `req_${ulid(undefined, nextFraction)}`;

// One system call for each of the 16 random characters would cost more than the rest of the id.
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

/** Stores the caller outside of the request object, so that no input of the client can change it. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** Injects the request of a route that is not public, with its caller. */
export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext): CallerRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const caller = callerOf(request);
  if (!caller) throw new ApiError('unauthorized', 'This request needs a bearer token.');
  return { ...apiRequest(request), caller };
});

/** Injects the request of a public route. */
export const PublicRequest = createParamDecorator((_: unknown, context: ExecutionContext): ApiRequest =>
  apiRequest(context.switchToHttp().getRequest<FastifyRequest>()),
);

function apiRequest({ id }: FastifyRequest): ApiRequest {
  return { id };
}
