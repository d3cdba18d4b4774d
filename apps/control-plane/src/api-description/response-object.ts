import type { JsonSchema } from '../platform/http/dto/documented.js';
import type { NamedSchemas } from './hoist-schemas.js';
import type {
  ResponseDescription,
  EnvelopeDescription,
} from '../platform/http/operations/response-description.js';

export const META_EXAMPLE = {
  request_id: 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  timestamp: '2026-11-21T09:30:00.000Z',
};

/**
 * Returns the OpenAPI response object of a success.
 * @param location path of the created resource, if the operation creates one
 */
export function responseObject(
  response: ResponseDescription,
  schemas: NamedSchemas,
  location?: string,
): JsonSchema {
  const headers = { ...headersOf(location === undefined ? [] : ['Location']), ...response.headers };
  const content = 'data' in response ? enveloped(response, schemas) : response.content;
  return { description: response.description, headers, ...(content ? { content } : {}) };
}

/** Returns references to the headers that every response has (`always`), and to the headers in `names`. */
export function headersOf(names: readonly string[], always = ALWAYS): JsonSchema {
  const all = [...always, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function enveloped(response: EnvelopeDescription, schemas: NamedSchemas): JsonSchema {
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: schemas.refer(response.data), meta: metaSchema(response) },
  };
  const example = { data: response.example, meta: { ...META_EXAMPLE, ...response.metaExample } };
  return { 'application/json': { schema, example }, ...response.alternatives };
}

function metaSchema({ meta }: EnvelopeDescription): JsonSchema {
  if (!meta) return { $ref: '#/components/schemas/Meta' };
  const { properties = {}, required = [] } = meta;
  return {
    ...META,
    properties: { ...META.properties, ...properties },
    required: [...META.required, ...required],
  };
}

export const META = {
  type: 'object',
  required: ['request_id', 'timestamp'],
  properties: {
    request_id: {
      type: 'string',
      pattern: '^req_[0-9A-Z]{26}$',
      description: 'Id of the request, also in the header `X-Request-Id`.',
    },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

const ALWAYS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const integer = (description: string) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
});
const text = (description: string) => ({ description, required: true, schema: { type: 'string' } });

export const SHARED_HEADERS: JsonSchema = {
  'X-Request-Id': text('Id of the request. Include it in support requests.'),
  'X-RateLimit-Limit': integer('Number of requests allowed in a window of one minute.'),
  'X-RateLimit-Remaining': integer('Number of requests left in this window; 0 while the burst is used up.'),
  'X-RateLimit-Reset': integer('End of the window, in seconds since the Unix epoch.'),
  'Retry-After': integer('Seconds to wait before the next attempt.'),
  'WWW-Authenticate': text('`Bearer`.'),
  'Idempotent-Replayed': {
    description: '`true` if the request was processed before. The response is then a copy of the first one.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  Location: text('URL of the created resource.'),
  ETag: text('Tag of the content without `meta`, for `If-None-Match`.'),
};
