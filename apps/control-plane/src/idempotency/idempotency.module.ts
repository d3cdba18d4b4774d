import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';

import { EffectMarker } from './effect-marker.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Requests that a client may send again without fear. After HttpModule: envelope and `Location` are made around it. */
@Module({
  providers: [
    EffectMarker,
    IdempotencyKeysService,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
