import { ENGINE_VERSION } from '@understudy/generator';

import type { MockMethod } from '../create-mock-endpoint.dto.js';

/**
 * The headers of every response below `/mock`. The content of a response is not trusted, because any
 * organisation can write it. The headers make browsers treat the content as JSON, run no script in it, and
 * show it in an opaque origin.
 */
export const MOCK_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

interface EndpointMethod {
  readonly method: MockMethod;
}

/**
 * Returns the headers of a CORS preflight response. Any request header is allowed, because calls carry no
 * cookies. `Authorization` is listed, because `*` does not include it.
 */
export function preflightHeaders(endpoint: EndpointMethod): Record<string, string> {
  const allow = methodsOf(endpoint).join(', ');
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': '*, Authorization',
    'access-control-max-age': '7200',
  };
}

export function methodsOf({ method }: EndpointMethod): string[] {
  return [method, ...(method === 'GET' ? ['HEAD'] : []), 'OPTIONS'];
}

export function generationHeaders(seed: number, count: number, now: string): Record<string, string> {
  return {
    'x-generation-seed': String(seed),
    'x-generation-count': String(count),
    'x-generation-now': now,
    'x-generation-engine-version': ENGINE_VERSION,
  };
}
