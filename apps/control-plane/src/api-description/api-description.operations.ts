import { operations } from '../platform/http/operations/operation.js';

export const DESCRIPTION = operations('Description', {
  getApiDescription: {
    method: 'GET',
    path: '/v1/openapi.json',
    client: 'apiDescription',
    summary: 'describes this API as OpenAPI 3.1',
    description: 'The document changes only with the version of the server.',
    role: 'public',
    response: {
      description: 'This document.',
      content: {
        'application/json': {
          schema: { type: 'object', description: 'OpenAPI 3.1', additionalProperties: true },
        },
      },
      headers: {
        ETag: { description: 'Value for `If-None-Match`.', schema: { type: 'string' }, required: true },
        'Cache-Control': {
          description: 'How long the document may be cached.',
          schema: { type: 'string' },
          required: true,
        },
      },
    },
    otherResponses: { 304: { description: 'The tag in `If-None-Match` matches the current document.' } },
  },
});
