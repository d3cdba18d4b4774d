import type { OperationDescription } from '../platform/http/operations/operation-description.js';

export const API_DESCRIPTION_DESCRIPTIONS = {
  getApiDescription: {
    tag: 'Description',
    description: 'The document changes only with the version of the server.',
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
} satisfies Record<string, OperationDescription>;
