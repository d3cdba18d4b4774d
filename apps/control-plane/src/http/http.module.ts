import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { ApiErrorFilter } from './errors/api-error.filter.js';
import { EnvelopeInterceptor } from './pipeline/envelope.interceptor.js';
import { OperationInterceptor } from './pipeline/operation.interceptor.js';
import { RequestPipe } from './pipeline/request.pipe.js';

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
