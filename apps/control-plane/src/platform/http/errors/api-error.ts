/** The stable error codes of the API, each with its HTTP status. */
export const STATUS_OF_CODE = {
  bad_request: 400,
  unauthorized: 401,
  quota_exceeded: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  generation_failed: 422,
  limit_exceeded: 422,
  rate_limit_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ApiErrorCode = keyof typeof STATUS_OF_CODE;

export interface FieldProblem {
  /** The path in the request, such as `tables[0].columns.email`. */
  readonly field: string;
  readonly message: string;
}

/**
 * An error that the caller receives unchanged. `message` and `details` state what was expected and which kind
 * of value was received. They never quote URLs, patterns, secrets or facts about this machine.
 */
export class ApiError extends Error {
  readonly details: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    options: { details?: readonly FieldProblem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return STATUS_OF_CODE[this.code];
  }
}

/** Creates the error for a well-formed request with invalid content. */
export function validationError(details: readonly FieldProblem[]): ApiError {
  const [first] = details;
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const message = first ? `${first.field}: ${first.message}${rest}` : 'The request is not valid.';
  return new ApiError('validation_error', message, { details: details.slice(0, MAX_DETAILS) });
}

/** Limits the response to a body of 1 MiB in which each value is a problem. The message counts all problems. */
const MAX_DETAILS = 1000;

export function notFound(): ApiError {
  return new ApiError('not_found', 'No resource exists at this path.');
}

/**
 * The error for a resource that does not exist or belongs to another organisation.
 * @param what the resource's name, such as `sync job`
 */
export function noSuch(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`);
}
