import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import {
  count,
  deletedResponse,
  id,
  instant,
  oneOf,
  pageResponse,
  WARNINGS,
} from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateMockEndpointDto, MOCK_AUTHS, MOCK_METHODS } from './create-mock-endpoint.dto.js';
import type { ListedMockEndpointResponse, MockEndpointResponse } from './mock-endpoint-response.js';
import { MAX_COUNT, MAX_LATENCY_MS, type MockResponse } from './mock-response.js';

const FIELDS = {
  id: id('ep', 'Id of the mock endpoint, which cannot be guessed.'),
  path: Type.String({ description: 'The path as given in the request.' }),
  method: oneOf(MOCK_METHODS, 'The method of the endpoint.'),
  url: Type.String({ description: 'URL of the endpoint: `{mock_url}/<id><path>`.' }),
  requests_today: count('Calls since the start of the current UTC day. The number is up to two seconds old.'),
  created_at: instant('When the endpoint was created.'),
  auth: oneOf(MOCK_AUTHS, '`token`: calls need an API token of the organisation.'),
};

const LISTED = schemaOf<ListedMockEndpointResponse>('ListedMockEndpoint')(
  Type.Object({
    ...FIELDS,
    schema: Type.String({
      description:
        'Name of the schema, `<id>.schema.json`. `GET` of a single endpoint returns the schema itself.',
    }),
  }),
);

const milliseconds = Type.Integer({ minimum: 0, maximum: MAX_LATENCY_MS });

const RESPONSE = schemaOf<MockResponse>('MockResponse')(
  Type.Object(
    {
      count: Type.Integer({ minimum: 1, maximum: MAX_COUNT }),
      wrapper: Type.Unsafe<unknown>({ type: ['object', 'array', 'string'], additionalProperties: true }),
      status: Type.Integer({ minimum: 200, maximum: 599 }),
      headers: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
      }),
      latency_ms: Type.Union([milliseconds, Type.Object({ min: milliseconds, max: milliseconds })]),
      fail_rate: Type.Number({ minimum: 0, maximum: 1 }),
    },
    { description: 'The response of the endpoint, with all defaults filled in.' },
  ),
);

const ENDPOINT = schemaOf<MockEndpointResponse>('MockEndpoint')(
  Type.Object({
    ...FIELDS,
    schema: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The schema as given in the request.',
    }),
    response: RESPONSE,
    warnings: Type.Array(
      Type.Object({
        code: Type.Union([Type.Literal('header_reserved'), Type.Literal('definition_warning')]),
        field: Type.String({ description: 'Path of the setting.' }),
        message: Type.String(),
      }),
      {
        description:
          'Settings that have no effect, or possibly another one than their author intended. An earlier version may have accepted more. The creation also returns those of the definition in `meta.warnings`.',
      },
    ),
  }),
);

const SCHEMA = {
  generators: {
    id: { computed: 'params.id' },
    name: { type: 'model', source: 'en_US/first_names' },
  },
  output: ['id', 'name'],
};
const WRAPPER = { data: '{{records}}', total: '{{count}}' };
const LISTED_EXAMPLE = {
  id: 'ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA',
  path: '/api/users/:id',
  method: 'GET',
  url: 'https://understudy.example.com/mock/ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA/api/users/:id',
  requests_today: 0,
  created_at: '2026-11-21T09:30:00.000Z',
  auth: 'none',
  schema: 'ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA.schema.json',
};
const RESPONSE_EXAMPLE = {
  count: 1,
  wrapper: WRAPPER,
  status: 200,
  headers: {},
  latency_ms: { min: 50, max: 200 },
  fail_rate: 0,
};
const EXAMPLE = { ...LISTED_EXAMPLE, schema: SCHEMA, response: RESPONSE_EXAMPLE, warnings: [] };

export const MOCK_ENDPOINT_DESCRIPTIONS = {
  listMockEndpoints: {
    tag: 'Mock endpoints',
    description: 'The newest endpoints come first.',
    query: PageQuery,
    example: { query: { page: 1, per_page: 20 } },
    response: pageResponse('A page of mock endpoints.', 'endpoints', LISTED, LISTED_EXAMPLE),
  },
  createMockEndpoint: {
    tag: 'Mock endpoints',
    description:
      'The schema and the wrapper are compiled before the response. The endpoint is served immediately at `url`; see docs/guides/mock-endpoints.md. Custom models that the endpoint uses cannot be deleted while it exists. The endpoint keeps the current versions of the registered compositions that it uses.',
    body: CreateMockEndpointDto,
    example: {
      body: {
        path: '/api/users/:id',
        method: 'GET',
        schema: SCHEMA,
        response: { count: 1, wrapper: WRAPPER, latency_ms: { min: 50, max: 200 } },
      },
    },
    response: {
      description: 'The endpoint.',
      data: ENDPOINT,
      example: EXAMPLE,
      meta: Type.Object({ warnings: WARNINGS }),
      metaExample: { warnings: [] },
    },
    refusals: ['conflict'],
  },
  getMockEndpoint: {
    tag: 'Mock endpoints',
    response: { description: 'The endpoint.', data: ENDPOINT, example: EXAMPLE },
  },
  deleteMockEndpoint: {
    tag: 'Mock endpoints',
    description: 'The URL of the endpoint then returns 404. Other servers do so within a second.',
    response: deletedResponse('The endpoint is deleted.', LISTED_EXAMPLE.id),
  },
} satisfies Record<string, OperationDescription>;
