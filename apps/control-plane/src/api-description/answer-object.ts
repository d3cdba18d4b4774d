import type { JsonSchema } from '../http/dto/documented.js';
import type { NamedSchemas } from './hoist-schemas.js';
import type { AnswerDescription, EnvelopeDescription } from './operation-description.js';

export const META_EXAMPLE = {
  request_id: 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  timestamp: '2026-11-21T09:30:00.000Z',
};

/** OpenAPI's response object of a success. @param location where the thing made is found */
export function answerObject(
  answer: AnswerDescription,
  schemas: NamedSchemas,
  location?: string,
): JsonSchema {
  const headers = { ...headersOf(location === undefined ? [] : ['Location']), ...answer.headers };
  const content = 'data' in answer ? enveloped(answer, schemas) : answer.content;
  return { description: answer.says, headers, ...(content ? { content } : {}) };
}

/** Those of every answer, and others by name. */
export function headersOf(names: readonly string[], always = ALWAYS): JsonSchema {
  const all = [...always, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function enveloped(answer: EnvelopeDescription, schemas: NamedSchemas): JsonSchema {
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: schemas.refer(answer.data), meta: metaSchema(answer) },
  };
  const example = { data: answer.example, meta: { ...META_EXAMPLE, ...answer.metaExample } };
  return { 'application/json': { schema, example }, ...answer.alternatives };
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
    request_id: { type: 'string', pattern: '^req_[0-9A-Z]{26}$', description: 'Also in `X-Request-Id`.' },
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
  'X-Request-Id': text('Id of the request; name it when you ask about it.'),
  'X-RateLimit-Limit': integer('Requests allowed in a window of one minute.'),
  'X-RateLimit-Remaining': integer('Requests left in this window; 0 while the burst is used up.'),
  'X-RateLimit-Reset': integer('When the window ends, in seconds since the Unix epoch.'),
  'Retry-After': integer('Seconds to wait before the next try.'),
  'WWW-Authenticate': text('`Bearer`.'),
  'Idempotent-Replayed': {
    description: '`true` where the request was carried out before, and this is the answer of then.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  Location: text('Where the thing made is found.'),
};
