import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { ApiErrorFilter } from './api-error.filter.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { RequestPipe } from './request.pipe.js';

/** One filter, one envelope, one way to read a request. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ApiErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    // Inside the envelope: it sees what the handler returned.
    { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
})
export class HttpModule {}
