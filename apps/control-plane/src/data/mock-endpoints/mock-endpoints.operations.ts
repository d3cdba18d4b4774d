import { Type } from 'typebox';

import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse, WARNINGS } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { CreateMockEndpointDto } from './create-mock-endpoint.dto.js';
import { ListedMockEndpointResponse, MockEndpointResponse } from './mock-endpoint-response.js';

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

export const MOCK_ENDPOINTS = operations('Mock endpoints', {
  listMockEndpoints: {
    method: 'GET',
    path: '/v1/mock/endpoints',
    client: 'mockEndpoints.list',
    summary: 'lists the mock endpoints',
    description: 'The newest endpoints come first.',
    role: 'viewer',
    scope: 'endpoints:read',
    query: PageQuery,
    example: { query: { page: 1, per_page: 20 } },
    response: pageResponse(
      'A page of mock endpoints.',
      'endpoints',
      ListedMockEndpointResponse,
      LISTED_EXAMPLE,
    ),
  },
  createMockEndpoint: {
    method: 'POST',
    path: '/v1/mock/endpoints',
    client: 'mockEndpoints.create',
    summary: 'creates a mock endpoint',
    description:
      'The schema and the wrapper are compiled before the response. The endpoint is served immediately at `url`; see docs/guides/mock-endpoints.md. Custom models that the endpoint uses cannot be deleted while it exists. The endpoint keeps the current versions of the registered compositions that it uses.',
    role: 'member',
    scope: 'endpoints:write',
    body: CreateMockEndpointDto,
    example: {
      body: {
        path: '/api/users/:id',
        method: 'GET',
        schema: SCHEMA,
        response: { count: 1, wrapper: WRAPPER, latency_ms: { min: 50, max: 200 } },
      },
    },
    status: 201,
    location: '/v1/mock/endpoints/:id',
    response: {
      description: 'The endpoint.',
      data: MockEndpointResponse,
      example: EXAMPLE,
      meta: Type.Object({ warnings: WARNINGS }),
      metaExample: { warnings: [] },
    },
    refusals: ['conflict'],
  },
  getMockEndpoint: {
    method: 'GET',
    path: '/v1/mock/endpoints/:id',
    client: 'mockEndpoints.get',
    summary: 'shows a mock endpoint and its schema',
    role: 'viewer',
    scope: 'endpoints:read',
    resource: 'mock_endpoint',
    response: { description: 'The endpoint.', data: MockEndpointResponse, example: EXAMPLE },
  },
  deleteMockEndpoint: {
    method: 'DELETE',
    path: '/v1/mock/endpoints/:id',
    client: 'mockEndpoints.delete',
    summary: 'deletes a mock endpoint',
    description: 'The URL of the endpoint then returns 404. Other servers do so within a second.',
    role: 'member',
    scope: 'endpoints:write',
    calls: 'always_served',
    resource: 'mock_endpoint',
    response: deletedResponse('The endpoint is deleted.', LISTED_EXAMPLE.id),
  },
});
