import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  RequestMapping,
  RequestMethod,
  UseInterceptors,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';

import { NoFields } from '../dto/no-fields.dto.js';
import { RequestPipe } from '../pipeline/request.pipe.js';
import { UnreadBody } from '../uploads/uploaded-file.js';
import { bodyOf, PREFIX, type Operation } from './operation.js';

/**
 * Makes a method the handler of an operation: gives it the operation's route, and refuses a query or a body that the
 * operation does not declare. Decorate the controller with `@Controller()`, without a path.
 * @throws Error if the operation declares a query or a JSON body that the method does not take
 */
export function Handles(operation: Operation): MethodDecorator {
  return applyDecorators(
    takesInput(operation),
    RequestMapping({
      method: RequestMethod[operation.method],
      path: operation.path.slice(PREFIX.length),
    }),
    RouteConfig({ operation }),
    ...(operation.query === undefined ? [UseInterceptors(NoQuery)] : []),
    ...(bodyOf(operation) === NoFields ? [UseInterceptors(NoBody)] : []),
  );
}

const takesInput =
  ({ id, query, body, takes, hasLargeBody }: Operation): MethodDecorator =>
  (target, method) => {
    const types = Reflect.getMetadata('design:paramtypes', target, method) as readonly unknown[];
    const bodyType = hasLargeBody ? UnreadBody : takes === undefined ? body : undefined;
    for (const dto of [query, bodyType])
      if (dto !== undefined && !types.includes(dto))
        throw new Error(`the handler of ${id} has no parameter of the type ${dto.name}`);
  };

const pipe = new RequestPipe();

// Interceptors of a handler run inside all global ones, directly before the pipes of its parameters.

/** Refuses a query with parameters. The error names each of them. */
export class NoQuery implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    pipe.transform(query, { type: 'query', metatype: NoFields });
    return next.handle();
  }
}

/** Refuses a body with fields. The body may be missing or an empty object. */
export class NoBody implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    pipe.transform(body, { type: 'body', metatype: NoFields });
    return next.handle();
  }
}
