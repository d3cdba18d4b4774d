import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import type { ApiRequest, CallerRequest } from './api-request.js';
import { callerOf } from './request-state.js';

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
