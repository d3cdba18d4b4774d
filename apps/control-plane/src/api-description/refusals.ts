import { STATUS_OF_CODE, type ApiErrorCode } from '../http/errors/api-error.js';
import type { JsonSchema } from '../http/dto/documented.js';
import { takesKey, type Operation } from '../http/operations/operation.js';
import type { OperationDescription } from './operation-description.js';

/** Statuses of the refusals that an operation can answer: what its row of the table says, and what it adds itself. */
export function refusalsOf(operation: Operation, { refusals = [] }: OperationDescription): number[] {
  const codes: ApiErrorCode[] = [
    ...refusals,
    'validation_error', // unknown query parameters
    'headers_too_large',
    'rate_limit_exceeded',
    'internal_error',
    'unavailable',
  ];
  if (operation.role !== 'public') codes.push('unauthorized', 'forbidden');
  if (operation.role !== 'public' && operation.calls === 'counted') codes.push('quota_exceeded');
  if (operation.resource !== undefined) codes.push('not_found');
  // Every method but GET may come with a body, be it one that nobody wants.
  if (operation.method !== 'GET')
    codes.push('bad_request', 'request_timeout', 'payload_too_large', 'unsupported_media_type');
  if (takesKey(operation)) codes.push('conflict'); // the key is in use
  return [...new Set(codes.map((code) => STATUS_OF_CODE[code]))].sort((a, b) => a - b);
}

/** Of a status: the name of its component and when it comes. */
export const REFUSALS: Readonly<Record<number, { readonly name: string; readonly says: string }>> = {
  400: { name: 'BadRequest', says: 'The body is missing, or is not what its media type says.' },
  401: { name: 'Unauthorized', says: 'The credentials are missing or not valid.' },
  402: { name: 'QuotaExceeded', says: 'What the plan includes is used.' },
  403: { name: 'Forbidden', says: 'The role or the scopes of the token do not allow it.' },
  404: { name: 'NotFound', says: "There is no such resource, or it is another organisation's." },
  406: { name: 'NotAcceptable', says: 'No representation fits the `Accept` header.' },
  408: { name: 'RequestTimeout', says: 'The body did not arrive in time.' },
  409: { name: 'Conflict', says: 'It contradicts what is there.' },
  413: { name: 'PayloadTooLarge', says: 'The body is larger than 1 MiB, or the file than 32 MiB.' },
  415: { name: 'UnsupportedMediaType', says: 'The body has another media type, or a content encoding.' },
  422: {
    name: 'Unprocessable',
    says: 'The request was understood and is not valid; `details` names the fields.',
  },
  429: { name: 'TooManyRequests', says: 'The rate limit, burst included, is used up.' },
  431: { name: 'HeadersTooLarge', says: 'More than 100 headers, or more than 16 KiB of them.' },
  500: { name: 'InternalError', says: 'Something went wrong on the side of the server.' },
  503: { name: 'Unavailable', says: 'Something that is needed is away or full; try again.' },
};

/** The envelope of refusals of one status. */
export function refusalSchema(status: number): JsonSchema {
  return {
    type: 'object',
    required: ['error', 'meta'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: codesOf(status), description: 'Stable.' },
          message: { type: 'string', description: 'For people; may change.' },
          details: {
            type: 'array',
            maxItems: 100,
            items: { $ref: '#/components/schemas/FieldProblem' },
            description: 'Given where fields of the request are wrong.',
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
  const message = status === 422 ? `${PROBLEM.field}: ${PROBLEM.message}` : REFUSALS[status]?.says;
  return { error: { code, message, ...details }, meta };
}

const PROBLEM = { field: 'name', message: 'expected a string of 1 to 100 characters, got the number 7' };

function codesOf(status: number): string[] {
  return Object.entries(STATUS_OF_CODE).flatMap(([code, of]) => (of === status ? [code] : []));
}
