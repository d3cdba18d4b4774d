import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';

import { DASHBOARD_PREFIX } from './dashboard-route.js';
import { DataWithMeta } from './envelope.js';
import { operationOf } from './guard-requests.js';
import { isRecord } from '../dto/read-dto.js';

/**
 * Sets the status and the `Location` of each response according to the table of operations. A handler may set
 * another status.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const operation = operationOf(request);
    if (!operation) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const prefix = request.routeOptions.config.dashboard ? DASHBOARD_PREFIX : '';
    void reply.status(operation.status);
    return next.handle().pipe(
      tap((response: unknown) => {
        const data = response instanceof DataWithMeta ? (response.data as unknown) : response;
        const location = locationOf(operation.location, data);
        if (location !== undefined) void reply.header('location', prefix + location);
      }),
    );
  }
}

/**
 * Fills the template of a `Location`, such as `/v1/things/:id`.
 * @returns undefined if there is no template, or if a placeholder such as `:id` has no string of the same
 * name in `data`
 */
export function locationOf(template: string | undefined, data: unknown): string | undefined {
  if (template === undefined || !isRecord(data)) return undefined;
  const names = [...template.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);
  if (names.some((name) => typeof data[name] !== 'string')) return undefined;
  return names.reduce((path, name) => path.replace(`:${name}`, String(data[name])), template);
}
