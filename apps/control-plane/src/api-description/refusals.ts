import { STATUS_OF_CODE, type ApiErrorCode } from '../platform/http/errors/api-error.js';
import type { JsonSchema } from '../platform/http/dto/documented.js';
import { takesKey, type Operation } from '../platform/http/operations/operation.js';

/**
 * Returns the error statuses of an operation in ascending order. Derives them from its declaration, and adds
 * the declared ones.
 */
export function refusalsOf(operation: Operation): number[] {
  const codes: ApiErrorCode[] = [
    ...(operation.refusals ?? []),
    'validation_error', // unknown query parameters
    'headers_too_large',
    'rate_limit_exceeded',
    'internal_error',
    'unavailable',
  ];
  if (operation.role !== 'public') codes.push('unauthorized', 'forbidden');
  if (operation.role !== 'public' && operation.calls === 'counted') codes.push('quota_exceeded');
  if (operation.resource !== undefined) codes.push('not_found');
  // A client can send a body with every method except GET, even if the operation expects none.
  if (operation.method !== 'GET')
    codes.push('bad_request', 'request_timeout', 'payload_too_large', 'unsupported_media_type');
  if (takesKey(operation)) codes.push('conflict'); // the key is in use
  return [...new Set(codes.map((code) => STATUS_OF_CODE[code]))].sort((a, b) => a - b);
}

/** The name and description of the OpenAPI response component for each error status. */
export const REFUSALS: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The body is missing or does not match its media type.' },
  401: { name: 'Unauthorized', description: 'The credentials are missing or not valid.' },
  402: { name: 'QuotaExceeded', description: 'A quota of the plan is used up.' },
  403: {
    name: 'Forbidden',
    description: 'The role or the scopes of the token do not allow the operation, or the agent is revoked.',
  },
  404: { name: 'NotFound', description: 'The resource does not exist or belongs to another organisation.' },
  406: { name: 'NotAcceptable', description: 'No representation matches the `Accept` header.' },
  408: { name: 'RequestTimeout', description: 'The body did not arrive in time.' },
  409: { name: 'Conflict', description: 'The request conflicts with the current state of the resource.' },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body exceeds 1 MiB (32 MiB for a sync job, 4 KiB if an agent signs it), or the file exceeds 32 MiB.',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has an unsupported media type or a content encoding.',
  },
  422: {
    name: 'Unprocessable',
    description: 'The request is well-formed but not valid. `details` lists the fields.',
  },
  429: { name: 'TooManyRequests', description: 'The rate limit, including the burst, is used up.' },
  431: {
    name: 'HeadersTooLarge',
    description: 'The request has more than 100 headers or more than 16 KiB of headers.',
  },
  500: { name: 'InternalError', description: 'An unexpected error occurred on the server.' },
  503: {
    name: 'Unavailable',
    description: 'A required service is unreachable or at capacity. Try again later.',
  },
};

/** Returns the JSON Schema of an error response with this status. */
export function refusalSchema(status: number): JsonSchema {
  return {
    type: 'object',
    required: ['error', 'meta'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: codesOf(status), description: 'Stable code of the error.' },
          message: { type: 'string', description: 'Explanation for people. The text may change.' },
          details: {
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/FieldProblem' },
            description: 'Present if fields of the request are invalid.',
          },
        },
      },
      meta: { $ref: '#/components/schemas/Meta' },
    },
  };
}

export function refusalExample(status: number, meta: unknown): unknown {
  const [code] = codesOf(status);
  const details = status === 422 ? { details: [PROBLEM] } : {};
  const message = status === 422 ? `${PROBLEM.field}: ${PROBLEM.message}` : REFUSALS[status]?.description;
  return { error: { code, message, ...details }, meta };
}

const PROBLEM = { field: 'name', message: 'expected a string of 1 to 100 characters, got the number 7' };

function codesOf(status: number): string[] {
  return Object.entries(STATUS_OF_CODE).flatMap(([code, of]) => (of === status ? [code] : []));
}
