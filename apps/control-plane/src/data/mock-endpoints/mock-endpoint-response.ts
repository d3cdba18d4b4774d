import { parseExactJson } from '@understudy/expression';
import { fieldPath } from '@understudy/sync-job';

import type { MockAuth, MockMethod } from './create-mock-endpoint.dto.js';
import type { MockEndpointEntity } from './mock-endpoint.entity.js';
import type { MockResponse } from './mock-response.js';
import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import { reservedHeaders } from './response-headers.js';

export interface ListedMockEndpointResponse {
  readonly id: string;
  readonly path: string;
  readonly method: MockMethod;
  /**
   * The name of the schema, `<id>.schema.json`. Only the response for a single endpoint contains the schema
   * itself.
   */
  readonly schema: string;
  readonly url: string;
  readonly requests_today: number;
  readonly created_at: string;
  readonly auth: MockAuth;
}

export interface MockEndpointResponse extends Omit<ListedMockEndpointResponse, 'schema'> {
  readonly schema: unknown;
  readonly response: MockResponse;
  /** Settings that have no effect, or possibly another one than their author intended. */
  readonly warnings: readonly MockEndpointWarning[];
}

export interface MockEndpointWarning {
  readonly code: 'header_reserved' | 'definition_warning';
  readonly field: string;
  readonly message: string;
}

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

function toHeaderWarning(name: string): MockEndpointWarning {
  return {
    code: 'header_reserved',
    field: fieldPath('response.headers', name),
    message:
      name.toLowerCase() === 'location'
        ? 'This header is only sent with the status 201. Create the endpoint again with that status or without it.'
        : 'This header is reserved, so it is not sent. Create the endpoint again without it.',
  };
}
