import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ApiError } from './api-error.js';
import { asApiError } from './as-api-error.js';
import { countRefusal } from '../pipeline/signed-request.js';
import { errorBody } from './error-body.js';

/**
 * Converts every thrown value into a response. This includes errors for unknown routes and unreadable bodies.
 */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = asApiError(thrown);
    const counted = countRefusal(request, error);
    if (counted) void counted.then((refusal) => this.respond(request, reply, refusal));
    else this.respond(request, reply, error);
  }

  private respond(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
    if (error.status >= 500) {
      const cause = error.cause ?? error;
      this.logger.error({
        request_id: request.id,
        err: cause instanceof Error ? describe(cause) : 'not an Error',
      });
    }
    if (error.retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(error.retryAfterSeconds));
    // Fastify would close the connection immediately, and a client that is still sending would lose the
    // response. The filter reads and discards the rest of the body instead.
    if (error.status === 413) {
      void reply.removeHeader('connection');
      request.raw.resume();
    }
    if (error.status === 401 && !reply.hasHeader('www-authenticate'))
      void reply.header('www-authenticate', 'Bearer');
    void reply.status(error.status).header('content-type', 'application/json; charset=utf-8');
    void reply.send(JSON.stringify(errorBody(error, request.id)));
  }
}

/** Returns name, stack and code of an error. Omits parameters, details and queries that drivers attach. */
function describe(error: Error): { name: string; stack: string | undefined; code: unknown } {
  return { name: error.name, stack: error.stack, code: Reflect.get(error, 'code') };
}
