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

/**
 * The maximum number of details in a response. A thousand tables with a thousand invalid columns each would
 * otherwise make a response larger than the request.
 */
const MAX_DETAILS = 100;

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const { code, message, details } = error;
  return {
    error: { code, message, ...(details ? { details: details.slice(0, MAX_DETAILS) } : {}) },
    meta: responseMeta(requestId),
  };
}
