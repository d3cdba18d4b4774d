import type { FieldProblem, SyncJob } from './generated/types.js';

/** The base class of all errors that the client throws. */
export class UnderstudyError extends Error {
  static {
    this.prototype.name = 'UnderstudyError';
  }
}

/** An option of the client or an argument of a call is invalid. The client sent nothing. */
export class ConfigurationError extends UnderstudyError {
  static {
    this.prototype.name = 'ConfigurationError';
  }
}

/** The fields of an {@link ApiError}. */
export interface ApiFailure {
  /** The operation, for example `createSyncJob`. */
  readonly operation: string;
  readonly status: number;
  /** The stable code of the error, for example `validation_failed`. */
  readonly code: string;
  readonly message: string;
  /** The id of the request. Support and the logs of the server use it. */
  readonly requestId: string | undefined;
  /** The invalid fields of the request with their paths. */
  readonly details: readonly FieldProblem[];
  /** The time that the server asked to wait, in seconds. */
  readonly retryAfter: number | undefined;
  /** The key of the call, if its operation accepts one. Repeat the call with this key. */
  readonly idempotencyKey: string | undefined;
}

/** The server refused the request, or its response was not the expected one. */
export class ApiError extends UnderstudyError implements Omit<ApiFailure, 'message'> {
  static {
    this.prototype.name = 'ApiError';
  }
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: readonly FieldProblem[];
  readonly retryAfter: number | undefined;
  readonly idempotencyKey: string | undefined;

  constructor(failure: ApiFailure) {
    super(messageOf(failure));
    this.operation = failure.operation;
    this.status = failure.status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.details = failure.details;
    this.retryAfter = failure.retryAfter;
    this.idempotencyKey = failure.idempotencyKey;
  }
}

/** 401: the token is missing, invalid, expired or revoked. */
export class AuthenticationError extends ApiError {
  static {
    this.prototype.name = 'AuthenticationError';
  }
}

/** 402: a quota of the plan is used up. */
export class QuotaExceededError extends ApiError {
  static {
    this.prototype.name = 'QuotaExceededError';
  }
}

/** 403: the role or a scope of the token does not permit the operation. */
export class PermissionDeniedError extends ApiError {
  static {
    this.prototype.name = 'PermissionDeniedError';
  }
}

/** 404: the resource does not exist. */
export class NotFoundError extends ApiError {
  static {
    this.prototype.name = 'NotFoundError';
  }
}

/** 409: the state of the resource does not permit the operation. */
export class ConflictError extends ApiError {
  static {
    this.prototype.name = 'ConflictError';
  }
}

/** 400, 413, 415 or 422: the request is invalid. `details` lists the invalid fields. */
export class ValidationError extends ApiError {
  static {
    this.prototype.name = 'ValidationError';
  }
}

/** 429: too many requests. `retryAfter` is the time to wait. */
export class RateLimitError extends ApiError {
  static {
    this.prototype.name = 'RateLimitError';
  }
}

/** 500 to 599: the server failed. */
export class ServerError extends ApiError {
  static {
    this.prototype.name = 'ServerError';
  }
}

/** The client did not reach the server, or the connection broke. */
export class ConnectionError extends UnderstudyError {
  static {
    this.prototype.name = 'ConnectionError';
  }

  /**
   * @param code the code of the runtime, for example `ECONNREFUSED` or `CERT_HAS_EXPIRED`
   * @param idempotencyKey the key of the call. Repeat the call with this key.
   */
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly idempotencyKey: string | undefined,
  ) {
    super(message);
  }
}

/** The server sent no response in time. */
export class TimeoutError extends ConnectionError {
  static {
    this.prototype.name = 'TimeoutError';
  }
}

/** A stream of records ended before its last record. */
export class StreamInterruptedError extends UnderstudyError {
  static {
    this.prototype.name = 'StreamInterruptedError';
  }

  /**
   * @param received the number of records that were received
   * @param expected the number of records that the server announced
   * @param code the code of the server's error, or of the runtime
   */
  constructor(
    message: string,
    readonly received: number,
    readonly expected: number | undefined,
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/** The job that `jobs.wait` waited for has failed. */
export class JobFailedError extends UnderstudyError {
  static {
    this.prototype.name = 'JobFailedError';
  }
  /** The code of the job's error. */
  readonly code: string | undefined;

  constructor(readonly job: SyncJob) {
    super(`the job ${job.id} failed: ${job.error ? `${job.error.code}: ${job.error.message}` : 'no reason'}`);
    this.code = job.error?.code;
  }
}

export type WebhookVerificationReason =
  | 'missing_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'timestamp_out_of_tolerance'
  | 'malformed_body';

/** A webhook request is not authentic. Respond with the status 400, and do not process the event. */
export class WebhookVerificationError extends UnderstudyError {
  static {
    this.prototype.name = 'WebhookVerificationError';
  }

  constructor(
    readonly reason: WebhookVerificationReason,
    message: string,
  ) {
    super(message);
  }
}

const CLASSES: ReadonlyMap<number, typeof ApiError> = new Map([
  [400, ValidationError],
  [401, AuthenticationError],
  [402, QuotaExceededError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, ValidationError],
  [415, ValidationError],
  [422, ValidationError],
  [429, RateLimitError],
]);

/** Creates the error of the class that belongs to the status. */
export function apiError(failure: ApiFailure): ApiError {
  const serverOrOther = failure.status >= 500 && failure.status <= 599 ? ServerError : ApiError;
  return new (CLASSES.get(failure.status) ?? serverOrOther)(failure);
}

/** The largest number of invalid fields in a message. */
const MAX_FIELDS = 20;

function messageOf({ operation, status, code, message, details, requestId }: ApiFailure): string {
  // The server's message often repeats the only problem.
  const problems = details
    .map((problem) => `${problem.field}: ${problem.message}`)
    .filter((problem) => !message.includes(problem));
  const more = problems.length - MAX_FIELDS;
  return [
    `${operation}: ${status} ${code}: ${message}`,
    ...(requestId === undefined ? [] : [` (${requestId})`]),
    ...problems.slice(0, MAX_FIELDS).map((problem) => `\n  ${problem}`),
    ...(more > 0 ? [`\n  and ${more} more fields`] : []),
  ].join('');
}
