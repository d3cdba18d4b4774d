import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, mergeMap, of, type Observable } from 'rxjs';

import { validationError } from '../http/errors/api-error.js';
import { isDatabaseAway } from '../http/errors/as-api-error.js';
import type { Caller } from '../http/pipeline/caller.js';
import { DataWithMeta } from '../http/pipeline/envelope.js';
import { operationOf } from '../http/pipeline/guard-requests.js';
import { takesKey, type Operation } from '../http/operations/operation.js';
import { isRecord } from '../http/dto/read-dto.js';
import { callerOf } from '../http/pipeline/caller-request.js';
import { EffectMarker } from './effect-marker.js';
import { fingerprintOf, hashOfKey } from './fingerprint.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import type { Reservation } from './reservation.js';

interface KeyedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly operation: Operation;
  readonly caller: Caller;
}

/** The form of a key: 1 to 255 visible ASCII characters. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Makes a POST with an `Idempotency-Key` take effect once. A repeated request gets the response of the first
 * one. Only successful responses are stored. After an error without an effect, a repeated request runs again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeysService,
    private readonly marker: EffectMarker,
  ) {}

  /** Returns a promise only for a request with a key. Without a key, a promise would add latency. */
  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = request.headers['idempotency-key'];
    if (key === undefined) return next.handle();
    const operation = operationOf(request);
    const caller = callerOf(request);
    if (!operation || !takesKey(operation) || !caller) return next.handle();
    if (typeof key !== 'string' || !KEY_FORM.test(key)) throw malformed();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return this.once(key, { request, reply, operation, caller }, next);
  }

  private async once(
    key: string,
    { request, reply, operation, caller }: KeyedRequest,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const use = {
      organizationId: caller.organizationId,
      operation: operation.id,
      keyHash: hashOfKey(key),
      fingerprint: await fingerprintOf(key, request.url.split('?', 1).join(''), request.body),
    };
    const reserved = await this.keys.reserve(use, request.id);
    if ('holder' in reserved) return this.carryOut(reserved, operation, next, reply);
    void reply.status(reserved.status).header('idempotent-replayed', 'true');
    return of(reserved.meta === null ? reserved.data : new DataWithMeta(reserved.data, reserved.meta));
  }

  private carryOut(
    reservation: Reservation,
    operation: Operation,
    next: CallHandler,
    reply: FastifyReply,
  ): Observable<unknown> {
    return this.marker
      .during(reservation, () => next.handle())
      .pipe(
        catchError(async (error: unknown) => {
          const released = this.keys.release(reservation);
          if (!isDatabaseAway(error)) await released; // during an outage, the response must not wait again
          throw error;
        }),
        mergeMap(async (response: unknown) => {
          const { data, meta } = response instanceof DataWithMeta ? response : { data: response, meta: null };
          const kept = withoutSecrets(data, operation.secrets);
          await this.keys.keep(reservation, { status: reply.statusCode, data: kept, meta });
          return response;
        }),
      );
  }
}

function withoutSecrets(data: unknown, secrets: readonly string[] = []): unknown {
  if (!isRecord(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !secrets.includes(name)));
}

function malformed(): Error {
  return validationError([
    { field: 'Idempotency-Key', message: 'expected 1 to 255 visible ASCII characters without spaces' },
  ]);
}
