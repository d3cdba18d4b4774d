import type { Plan } from '../../config/plans.js';
import type { MockSources } from '../../compute/tasks.js';
import type { MockAuth, MockMethod } from '../create-mock-endpoint.dto.js';
import type { MockResponse } from '../mock-response.js';
import { MOCK_HEADERS } from './mock-headers.js';
import { parsePathPattern, type PathPattern } from '../path-pattern.js';
import type { AnswerStock } from './answer-stock.js';

/** An endpoint as its row has it. */
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

/** An endpoint, read once and kept while it is called. */
export interface ServedEndpoint {
  readonly id: string;
  readonly organizationId: string;
  /** The one thing that may change. */
  plan: Plan;
  readonly method: MockMethod;
  readonly pattern: PathPattern;
  readonly auth: MockAuth;
  readonly response: MockResponse;
  /** The response's own headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a MockDefinition. */
  readonly definitionJson: string;
  readonly sources: MockSources;
  readonly stock: AnswerStock;
  /** undefined where calls need a look at the path, a token, a wait or a draw whether they fail. */
  readonly plain: PlainCalls | undefined;
}

/** Calls that all get an answer at once. */
export interface PlainCalls {
  /** The one path, as it stands in a URL. */
  readonly path: string;
  /** Of every answer, names and values in turn. */
  readonly headers: readonly string[];
}

/** @param stockOf makes its stock */
export function toServedEndpoint(
  row: ServedEndpointRow,
  stockOf: (endpoint: Omit<ServedEndpoint, 'stock' | 'plain'>) => AnswerStock,
): ServedEndpoint {
  const { id, organizationId, plan, method, auth } = row;
  const parsed = parsePathPattern(row.path);
  if ('problem' in parsed) throw new Error(`the path of ${id} was accepted and is not readable`);
  const response = JSON.parse(row.responseJson) as MockResponse;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const definitionJson = `{"schema":${row.schemaJson},"wrapper":${JSON.stringify(response.wrapper)}}`;
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
  return Object.assign(endpoint, { stock: stockOf(endpoint), plain: plainCallsOf(endpoint) });
}

function plainCallsOf({
  method,
  pattern,
  auth,
  response,
  headers,
}: Omit<ServedEndpoint, 'stock' | 'plain'>): PlainCalls | undefined {
  const { status, latency_ms, fail_rate } = response;
  const hasBody = status !== 204 && status !== 205;
  const isAtOnce = latency_ms === 0 && fail_rate === 0;
  if (method !== 'GET' || auth === 'token' || pattern.hasParams || !hasBody || !isAtOnce) return undefined;
  return { path: pattern.shape, headers: Object.entries({ ...MOCK_HEADERS, ...headers }).flat() };
}
