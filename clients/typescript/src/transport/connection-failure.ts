import { ConnectionError, TimeoutError } from '../errors.js';
import type { Deadline } from './deadline.js';

/** The depth to which the causes of an error are searched. */
const MAX_CAUSES = 5;
/** Timeouts of the `fetch` of Node.js: it ends a request without a response after 300 s, for example. */
const TIMEOUT_CODES = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

/**
 * Converts the error of `fetch`, or of reading a response, to an error without the request and its token.
 * @throws the reason of the caller's signal, if the caller ended the call
 */
export function connectionFailure(
  call: {
    readonly operation: { readonly id: string };
    readonly url: string;
    readonly timeout: number;
    readonly idempotencyKey: string | undefined;
  },
  deadline: Deadline,
  error: unknown,
): ConnectionError {
  if (deadline.isCancelled) throw deadline.reason;
  const { origin } = new URL(call.url);
  const code = errorCode(error);
  if (deadline.isExceeded)
    return new TimeoutError(
      `${call.operation.id}: the response of ${origin} took longer than ${call.timeout} s`,
      undefined,
      call.idempotencyKey,
    );
  const message = `${call.operation.id}: the connection to ${origin} failed${code === undefined ? '' : `: ${code}`}`;
  const type = code !== undefined && TIMEOUT_CODES.test(code) ? TimeoutError : ConnectionError;
  return new type(message, code, call.idempotencyKey);
}

/** Returns the first code among an error and its causes, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
function errorCode(error: unknown): string | undefined {
  let next: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof next === 'object' && next !== null; depth++) {
    const { code, cause, errors } = next as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
    next = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}
