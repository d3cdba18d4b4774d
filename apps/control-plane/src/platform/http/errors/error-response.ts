import type { ApiError } from './api-error.js';
import { errorBody } from './error-body.js';
import { rateLimitExceeded, rateLimitHeaders, type RateLimiter } from '../rate-limits/rate-limiter.js';

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Creates the response for a request that fails before any hook runs. The request counts against the rate
 * limit of the client's address.
 */
export async function errorResponse(
  limiter: RateLimiter,
  { address, requestId, error }: { address: string; requestId: string; error: ApiError },
): Promise<ErrorResponse> {
  const allowance = await limiter.spendOfAddress(address);
  const refusal = allowance.passes ? error : rateLimitExceeded(allowance);
  const body = JSON.stringify(errorBody(refusal, requestId));
  return {
    status: refusal.status,
    headers: {
      ...rateLimitHeaders(allowance),
      ...(allowance.passes ? {} : { 'retry-after': String(allowance.retryAfterSeconds) }),
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  };
}
