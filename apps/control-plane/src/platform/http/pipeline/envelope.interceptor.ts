import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

import { tagResponse } from './entity-tag.js';
import { DataWithMeta, responseMeta } from './envelope.js';

export const WITHOUT_ENVELOPE = 'understudy:without-envelope';

/**
 * Sends the handler's return value without an envelope. Use this decorator for probes, metrics, and streams
 * that write the envelope themselves.
 */
export const WithoutEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata(WITHOUT_ENVELOPE, true);

/**
 * Wraps every response of a handler as `{data, meta: {request_id, timestamp}}`. {@link DataWithMeta} adds
 * further keys to `meta`. A GET request whose client already has the response gets 304 without a body.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const bare = this.reflector.getAllAndOverride<boolean>(WITHOUT_ENVELOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (context.getType() !== 'http' || bare) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return next.handle().pipe(
      map((response: unknown) => {
        const { data, meta } =
          response instanceof DataWithMeta ? response : { data: response, meta: undefined };
        if (isRead && tagResponse(request, http.getResponse<FastifyReply>(), [data, meta])) return undefined;
        return { data: data as unknown, meta: { ...responseMeta(request.id), ...meta } };
      }),
    );
  }
}
