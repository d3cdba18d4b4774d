import { parseExactJson, writeExactJson } from '@understudy/expression';

import type { Plan } from '../../../platform/config/plans.js';
import type { MockSources } from '../../compute/tasks.js';
import type { MockAuth, MockMethod } from '../create-mock-endpoint.dto.js';
import type { MockResponse } from '../mock-response.js';
import { MOCK_HEADERS } from './mock-headers.js';
import { parsePathPattern, type PathPattern } from '../path-pattern.js';
import { reservedHeaders } from '../response-headers.js';
import type { ResponseBuffer } from './response-buffer.js';

/** An endpoint as its database row contains it. */
export interface ServedEndpointRow {
  readonly id: string;
  readonly organizationId: string;
  readonly plan: Plan;
  readonly method: MockMethod;
  readonly path: string;
  readonly auth: MockAuth;
  readonly schemaJson: string;
  readonly responseJson: string;
  readonly modelsJson: string;
  readonly compositionsJson: string;
}

/** An endpoint that is parsed once and kept in memory while it is called. */
export interface ServedEndpoint {
  readonly id: string;
  readonly organizationId: string;
  /** The only field that can change. */
  plan: Plan;
  readonly method: MockMethod;
  readonly pattern: PathPattern;
  readonly auth: MockAuth;
  readonly response: MockResponse;
  /** The response's own headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A MockDefinition as JSON. */
  readonly definitionJson: string;
  readonly sources: MockSources;
  readonly buffer: ResponseBuffer;
  /** Undefined if `PreparedResponses` cannot serve the endpoint, for example if a call needs a token. */
  readonly plain: PlainCalls | undefined;
}

/** The parts of an endpoint's responses that are the same for every call. */
export interface PlainCalls {
  /** The only path that a call can have, as it appears in a URL. */
  readonly path: string;
  /** The headers of every response: names and values alternate. */
  readonly headers: readonly string[];
}

/** @param bufferOf creates the buffer of an endpoint */
export function toServedEndpoint(
  row: ServedEndpointRow,
  bufferOf: (endpoint: Omit<ServedEndpoint, 'buffer' | 'plain'>) => ResponseBuffer,
): ServedEndpoint {
  const { id, organizationId, plan, method, auth } = row;
  const parsed = parsePathPattern(row.path);
  if ('problem' in parsed) throw new Error(`expected a valid path in the row of ${id}`);
  const response = parseExactJson(row.responseJson) as MockResponse;
  const unsent = new Set(reservedHeaders(response));
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      unsent.has(name) ? [] : [[name.toLowerCase(), value]],
    ),
  );
  const definitionJson = `{"schema":${row.schemaJson},"wrapper":${writeExactJson(response.wrapper)}}`;
  const sources = {
    models: JSON.parse(row.modelsJson) as MockSources['models'],
    compositions: JSON.parse(row.compositionsJson) as MockSources['compositions'],
  };
  const { pattern } = parsed;
  const endpoint = {
    id,
    organizationId,
    plan,
    method,
    pattern,
    auth,
    response,
    headers,
    definitionJson,
    sources,
  };
  return Object.assign(endpoint, { buffer: bufferOf(endpoint), plain: plainCallsOf(endpoint) });
}

function plainCallsOf({
  method,
  pattern,
  auth,
  response,
  headers,
}: Omit<ServedEndpoint, 'buffer' | 'plain'>): PlainCalls | undefined {
  const { status, latency_ms, fail_rate } = response;
  const hasBody = status !== 204 && status !== 205;
  const isImmediate = latency_ms === 0 && fail_rate === 0;
  if (method !== 'GET' || auth === 'token' || pattern.hasParams || !hasBody || !isImmediate) return undefined;
  return { path: pattern.shape, headers: Object.entries({ ...MOCK_HEADERS, ...headers }).flat() };
}
