import { fieldPath, expectedButGot } from '@understudy/sync-job';

import type { FieldProblem } from '../http/errors/api-error.js';
import { isRecord } from '../http/dto/read-dto.js';
import type { MockResponse } from './mock-response.js';

const MAX_HEADERS = 20;
const MAX_VALUE_CHARACTERS = 1_024;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** Visible ASCII, with spaces and tabs between other characters. No value can start another header. */
const VALUE = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;

/**
 * Headers that the author of an endpoint must not set. The server sets some of them itself. The others set
 * cookies, give instructions to browsers or proxies, or control how the body is decoded and which origins may
 * read it.
 */
const RESERVED = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'date', 'server', 'host'],
  ...['set-cookie', 'set-cookie2', 'clear-site-data', 'refresh', 'service-worker-allowed', 'sourcemap'],
  ...['strict-transport-security', 'public-key-pins', 'expect-ct', 'alt-svc', 'nel', 'report-to'],
  ...['reporting-endpoints', 'www-authenticate', 'permissions-policy', 'feature-policy', 'referrer-policy'],
  ...['origin-agent-cluster', 'timing-allow-origin', 'speculation-rules', 'document-policy', 'vary'],
  ...['require-document-policy', 'accept-ch', 'critical-ch', 'no-vary-search', 'use-as-dictionary'],
  ...['activate-storage-access', 'set-login', 'idp-signin-status', 'observe-browsing-topics', 'x-sourcemap'],
  ...['x-content-type-options', 'x-frame-options', 'x-xss-protection', 'x-request-id', 'via', 'status'],
  ...['x-webkit-csp', 'x-permitted-cross-domain-policies', 'x-ua-compatible', 'forwarded', 'x-archive-files'],
  ...['cache-tag', 'xkey', 'edge-control', 'x-dns-prefetch-control'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
]);
const RESERVED_BEGINNINGS = [
  'access-control-',
  'ad-auction-',
  'attribution-reporting-',
  'content-',
  'cross-origin-',
  'proxy-',
  'sec-',
  'surrogate-',
  'x-accel-',
  'x-content-security-policy',
  'x-envoy-',
  'x-generation-',
  'x-forwarded-',
  'x-lighttpd-',
  'x-litespeed-',
  'x-middleware-',
  'x-original-',
  'x-reproxy-',
  'x-rewrite-',
  'x-sendfile',
];
/** Caches of several vendors obey a header of their own, such as `CDN-Cache-Control`. */
const RESERVED_ENDING = '-cache-control';
const FREE_AGAIN = new Set(['content-language']);

/**
 * @param path the path of the headers in the request body, such as `response.headers`
 * @param status the status of the responses. `Location` is only allowed with 201, because some servers obey it with
 * another status as a redirect
 */
export function headerProblems(headers: unknown, path: string, status = 200): FieldProblem[] {
  if (!isRecord(headers)) return [{ field: path, message: expectedButGot('an object of texts', headers) }];
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS)
    return [{ field: path, message: `expected at most ${MAX_HEADERS} headers, got ${entries.length}` }];
  const seen = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const field = fieldPath(path, name);
    const lower = name.toLowerCase();
    const message =
      problemOf(name, value, status) ?? (seen.has(lower) ? 'is given more than once' : undefined);
    seen.add(lower);
    return message === undefined ? [] : [{ field, message }];
  });
}

function problemOf(name: string, value: unknown, status: number): string | undefined {
  if (!NAME.test(name)) return 'is not a valid header name: expected 1 to 64 letters, digits or hyphens';
  if (isReserved(name.toLowerCase(), status)) return 'is a reserved header that an endpoint cannot set';
  const what = `visible ASCII characters, at most ${MAX_VALUE_CHARACTERS}`;
  if (typeof value !== 'string') return expectedButGot(what, value);
  return VALUE.test(value) && value.length <= MAX_VALUE_CHARACTERS ? undefined : expectedButGot(what, value);
}

/**
 * Returns the headers of a stored endpoint that are not sent. An earlier version may have stored headers that are
 * reserved now.
 */
export function reservedHeaders({ headers, status }: Pick<MockResponse, 'headers' | 'status'>): string[] {
  return Object.keys(headers).filter((name) => isReserved(name.toLowerCase(), status));
}

/** @param name in lower case */
function isReserved(name: string, status: number): boolean {
  if (FREE_AGAIN.has(name)) return false;
  if (name === 'location') return status !== 201;
  return (
    RESERVED.has(name) ||
    name.endsWith(RESERVED_ENDING) ||
    RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning))
  );
}
