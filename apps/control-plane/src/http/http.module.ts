import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { ApiErrorFilter } from './api-error.filter.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { RequestPipe } from './request.pipe.js';

/** One filter, one envelope, one way to read a request. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ApiErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
})
export class HttpModule {}
