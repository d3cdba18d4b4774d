import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

import { DataWithMeta, responseMeta } from './envelope.js';

export const WITHOUT_ENVELOPE = 'understudy:without-envelope';

/** The handler's return value is the body as it is: probes, metrics, and streams that write what belongs around them. */
export const WithoutEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata(WITHOUT_ENVELOPE, true);

/** Every answer of a handler leaves as `{data, meta: {request_id, timestamp}}`, or with further keys in `meta`. */
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
    return next
      .handle()
      .pipe(
        map((answer: unknown) =>
          answer instanceof DataWithMeta
            ? { data: answer.data as unknown, meta: { ...responseMeta(id), ...answer.meta } }
            : { data: answer, meta: responseMeta(id) },
        ),
      );
  }
}
