import { parseExactJson } from '@understudy/expression';
import { fieldPath } from '@understudy/sync-job';
import { Type } from 'typebox';

import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import { count, id, instant, named, oneOf, type ResponseOf } from '../../platform/http/operations/schemas.js';
import { MOCK_AUTHS, MOCK_METHODS } from './create-mock-endpoint.dto.js';
import type { MockEndpointEntity } from './mock-endpoint.entity.js';
import { MockResponse } from './mock-response.js';
import { reservedHeaders } from './response-headers.js';

export const ListedMockEndpointResponse = named('ListedMockEndpoint', {
  id: id('ep', 'Id of the mock endpoint, which cannot be guessed.'),
  path: Type.String({ description: 'The path as given in the request.' }),
  method: oneOf(MOCK_METHODS, 'The method of the endpoint.'),
  url: Type.String({ description: 'URL of the endpoint: `{mock_url}/<id><path>`.' }),
  requests_today: count('Calls since the start of the current UTC day. The number is up to two seconds old.'),
  created_at: instant('When the endpoint was created.'),
  auth: oneOf(MOCK_AUTHS, '`token`: calls need an API token of the organisation.'),
  schema: Type.String({
    description:
      'Name of the schema, `<id>.schema.json`. `GET` of a single endpoint returns the schema itself.',
  }),
});
export type ListedMockEndpointResponse = ResponseOf<typeof ListedMockEndpointResponse>;

export const MockEndpointResponse = named('MockEndpoint', {
  ...ListedMockEndpointResponse.properties,
  schema: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'The schema as given in the request.',
  }),
  response: MockResponse,
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
});
export type MockEndpointResponse = ResponseOf<typeof MockEndpointResponse>;

export type ListedMockEndpoint = Pick<MockEndpointEntity, 'id' | 'path' | 'method' | 'auth' | 'createdAt'> & {
  readonly requestsToday: number;
};

export function toListedMockEndpoint(
  { id, path, method, auth, createdAt, requestsToday }: ListedMockEndpoint,
  mockUrl: string,
): ListedMockEndpointResponse {
  return {
    id,
    path,
    method,
    schema: `${id}.schema.json`,
    url: `${mockUrl}/${id}${path}`,
    requests_today: requestsToday,
    created_at: createdAt.toISOString(),
    auth,
  };
}

export function toMockEndpointResponse(
  endpoint: MockEndpointEntity,
  requestsToday: number,
  mockUrl: string,
  ofDefinition: readonly FieldProblem[],
): MockEndpointResponse {
  const response = parseExactJson(endpoint.responseJson) as MockResponse;
  return {
    ...toListedMockEndpoint({ ...endpoint, requestsToday }, mockUrl),
    schema: parseExactJson(endpoint.schemaJson),
    response,
    warnings: [
      ...reservedHeaders(response).map(toHeaderWarning),
      ...ofDefinition.map((warning) => ({ code: 'definition_warning' as const, ...warning })),
    ],
  };
}

function toHeaderWarning(name: string): MockEndpointResponse['warnings'][number] {
  return {
    code: 'header_reserved',
    field: fieldPath('response.headers', name),
    message:
      name.toLowerCase() === 'location'
        ? 'This header is only sent with the status 201. Create the endpoint again with that status or without it.'
        : 'This header is reserved, so it is not sent. Create the endpoint again without it.',
  };
}
