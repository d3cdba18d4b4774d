import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { ApiErrorFilter } from './errors/api-error.filter.js';
import { EnvelopeInterceptor } from './pipeline/envelope.interceptor.js';
import { OperationInterceptor } from './pipeline/operation.interceptor.js';
import { RequestPipe } from './pipeline/request.pipe.js';

/** The parts that all routes share: error filter, response envelope and request validation. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ApiErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    // This interceptor runs inside the envelope, so that it sees what the handler returned.
    { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
})
export class HttpModule {}
