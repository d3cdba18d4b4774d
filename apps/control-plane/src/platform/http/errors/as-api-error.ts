import { HttpException } from '@nestjs/common';

import { ApiError, type ApiErrorCode } from './api-error.js';

/**
 * Converts anything that was thrown into an error that the caller may see. Messages of frameworks and
 * databases never reach the caller, because they contain paths, hosts, SQL and values.
 */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const status = statusOf(thrown);
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known) return new ApiError(known.code, known.message, { cause: thrown });
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError('bad_request', 'The request could not be understood.', { cause: thrown });
  }
  if (isDatabaseAway(thrown)) {
    return new ApiError('unavailable', 'The service waits for its PostgreSQL server. Try again shortly.', {
      retryAfterSeconds: 2,
      cause: thrown,
    });
  }
  return new ApiError('internal_error', 'Something went wrong on our side.', { cause: thrown });
}

const BY_STATUS: Readonly<Record<number, { code: ApiErrorCode; message: string }>> = {
  400: { code: 'bad_request', message: 'The request could not be understood.' },
  401: { code: 'unauthorized', message: 'This request needs valid credentials.' },
  403: { code: 'forbidden', message: 'The server refuses this request.' },
  404: { code: 'not_found', message: 'No resource exists at this path.' },
  405: { code: 'method_not_allowed', message: 'This path does not support this method.' },
  406: { code: 'not_acceptable', message: 'No available media type matches the Accept header.' },
  413: { code: 'payload_too_large', message: 'The body is larger than this operation accepts.' },
  414: { code: 'not_found', message: 'No resource exists at this path.' },
  415: { code: 'unsupported_media_type', message: 'Send the body as application/json.' },
  503: { code: 'unavailable', message: 'The service is not ready. Try again shortly.' },
};

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = property(thrown, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

// Connection exceptions (class 08), shutdown (57P01 to 57P03), a full disk (53100), no memory (53200), too many
// connections (53300), and a database that accepts none (55000). Statements and transactions that reached their time
// limits (57014, 25P03). Errors of the socket.
const AWAY = /^(08...|57P0[123]|53[123]00|55000|57014|25P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;

/** Messages of the driver and TypeORM for connections that ended, or were not available in time. */
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client .+ is not queryable|Query runner already released)/;

/** Returns true if an error was thrown because PostgreSQL is away, or did not respond in time. */
export function isDatabaseAway(thrown: unknown): boolean {
  for (const candidate of [thrown, property(thrown, 'driverError')]) {
    const code = property(candidate, 'code');
    if (typeof code === 'string' && AWAY.test(code)) return true;
    const message = property(candidate, 'message');
    if (typeof message === 'string' && AWAY_MESSAGES.test(message)) return true;
  }
  return false;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
