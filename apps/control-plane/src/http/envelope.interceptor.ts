import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

import { WITHOUT_ENVELOPE } from './decorators/without-envelope.js';
import { RawJson } from './raw-json.js';
import { responseMeta } from './response-meta.js';
import { WithMeta } from './with-meta.js';

/** Every answer of a handler leaves as `{data, meta: {request_id, timestamp, …}}`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const bare = this.reflector.getAllAndOverride<boolean>(WITHOUT_ENVELOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (context.getType() !== 'http' || bare) return next.handle();
    const { id } = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        const [data, extra] = answer instanceof WithMeta ? [answer.data, answer.meta] : [answer, {}];
        const meta = { ...responseMeta(id), ...extra };
        if (!(data instanceof RawJson)) return { data, meta };
        void reply.header('content-type', 'application/json; charset=utf-8');
        return `{"data":${data.text},"meta":${JSON.stringify(meta)}}`;
      }),
    );
  }
}
