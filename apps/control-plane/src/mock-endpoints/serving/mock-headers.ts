import { ENGINE_VERSION } from '@understudy/generator';

import type { MockMethod } from '../create-mock-endpoint.dto.js';

/**
 * On every answer below the prefix. What an endpoint answers with is strangers' content: it is JSON whatever it looks like,
 * and a browser that is sent there shows it without running anything, in an origin of its own.
 */
export const MOCK_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

interface Taker {
  readonly method: MockMethod;
}

/** Any header may come: calls carry no cookies. `*` does not stand for `Authorization`. */
export function preflightHeaders(endpoint: Taker): Record<string, string> {
  const allow = methodsOf(endpoint).join(', ');
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': '*, Authorization',
    'access-control-max-age': '7200',
  };
}

export function methodsOf({ method }: Taker): string[] {
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
