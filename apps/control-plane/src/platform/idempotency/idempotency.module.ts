import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';

import { EffectMarker } from './effect-marker.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/**
 * Lets clients repeat a request safely. Import this module after HttpModule, so that HttpModule's
 * interceptors also add the envelope and `Location` to repeated responses.
 */
@Module({
  providers: [
    EffectMarker,
    IdempotencyKeysService,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
