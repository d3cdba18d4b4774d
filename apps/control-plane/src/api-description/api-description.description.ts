import type { OperationDescription } from './operation-description.js';

export const API_DESCRIPTION_DESCRIPTIONS = {
  getApiDescription: {
    tag: 'Description',
    description: 'Changes with the version of the server only.',
    answer: {
      says: 'This document.',
      content: {
        'application/json': {
          schema: { type: 'object', description: 'OpenAPI 3.1', additionalProperties: true },
        },
      },
      headers: {
        ETag: { description: 'For `If-None-Match`.', schema: { type: 'string' }, required: true },
        'Cache-Control': {
          description: 'How long it may be kept.',
          schema: { type: 'string' },
          required: true,
        },
      },
    },
    otherAnswers: { 304: { says: 'The document is the one that `If-None-Match` names.' } },
  },
} satisfies Record<string, OperationDescription>;
