import type { ApiError } from './api-error.js';
import { errorBody } from './error-body.js';
import { rateLimitExceeded, rateLimitHeaders, type RateLimiter } from '../rate-limits/rate-limiter.js';

/** An answer as it goes on the wire. */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** For requests that end before any hook sees them; they count like any without a token. */
export async function refusalAnswer(
  limiter: RateLimiter,
  { address, requestId, error }: { address: string; requestId: string; error: ApiError },
): Promise<RefusalAnswer> {
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
