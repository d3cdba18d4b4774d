import type { ApiError, FieldProblem } from './api-error.js';
import { responseMeta, type ResponseMeta } from '../pipeline/envelope.js';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly FieldProblem[];
  };
  readonly meta: ResponseMeta;
}

/** A thousand tables of a thousand wrong columns would be an answer larger than the question. */
const MAX_DETAILS = 100;

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code, message, details } = error;
  return {
    error: { code, message, ...(details ? { details: details.slice(0, MAX_DETAILS) } : {}) },
    meta: responseMeta(requestId),
  };
}
