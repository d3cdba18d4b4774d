import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import { ApiError } from '../errors/api-error.js';
import type { Caller } from './caller.js';
import { callerOf } from './request-state.js';

/** The caller of a route that is not public: `{organizationId, role, tokenId}`. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest());
  if (!caller) throw new ApiError('unauthorized', 'This request needs a bearer token.');
  return caller;
});
