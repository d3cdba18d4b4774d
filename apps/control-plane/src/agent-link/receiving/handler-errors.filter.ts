import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands what a message handler throws to the transport as it is. Nest's own filter hides the SQLSTATE, which decides
 * whether the message may come again, and logs errors whose messages quote values.
 */
@Catch()
export class HandlerErrorsFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
