import { fieldPath, expectedButGot } from '@understudy/sync-job';

import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import { isRecord } from '../../platform/http/dto/read-dto.js';
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
  ...['clear-site-data', 'refresh', 'service-worker-allowed', 'sourcemap', 'x-sourcemap', 'p3p', 'tk'],
  ...['strict-transport-security', 'expect-ct', 'alt-svc', 'alternate-protocol', 'nel', 'report-to'],
  ...['reporting-endpoints', 'www-authenticate', 'authentication-info', 'timing-allow-origin', 'via'],
  ...['speculation-rules', 'accept-ch', 'accept-ch-lifetime', 'critical-ch', 'delegate-ch', 'variants'],
  ...['use-as-dictionary', 'activate-storage-access', 'idp-signin-status', 'observe-browsing-topics'],
  ...['shared-storage-write', 'supports-loading-mode', 'large-allocation', 'x-auto-login', 'status'],
  ...['x-content-type-options', 'x-download-options', 'x-frame-options', 'x-xss-protection'],
  ...['x-permitted-cross-domain-policies', 'x-ua-compatible', 'x-dns-prefetch-control', 'x-request-id'],
  ...['forwarded', 'x-archive-files', 'xkey', 'x-mod-pagespeed', 'x-page-speed', 'no-vary-search'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
]);
/** Kinds of headers for browsers and proxies, which have the same beginning. */
const RESERVED_BEGINNINGS = [
  ...['access-control-', 'ad-auction-', 'attribution-reporting-', 'content-', 'cross-origin-', 'origin-'],
  ...['proxy-', 'sec-', 'set-', 'surrogate-', 'x-content-security-policy', 'x-forwarded-', 'x-generation-'],
  ...['x-original-', 'x-rewrite-', 'x-webkit-csp'],
];
/** Kinds with the same ending: policies of browsers, and what each cache calls by a name of its own. */
const RESERVED_ENDING = /-cache-control$|(^|-)(cache-keys?|cache-tags?|pins|policy|report-only|vary)$/;
/** Proxies, caches and platforms that obey headers with their own name, such as `Fly-Replay`. */
const PRODUCTS = new Set([
  ...['accel', 'akamai', 'appengine', 'azure', 'cdn', 'cf', 'cloudflare', 'edge', 'envoy', 'fastly'],
  ...['fly', 'grip', 'haproxy', 'lighttpd', 'litespeed', 'lscache', 'middleware', 'netlify', 'nf'],
  ...['nginx', 'pagespeed', 'passenger', 'reproxy', 'sendfile', 'sendfile2', 'varnish', 'vercel'],
]);
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
    RESERVED_ENDING.test(name) ||
    PRODUCTS.has(firstWord(name)) ||
    RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning))
  );
}

/** Returns the first word of a header's name after `x-`. */
function firstWord(name: string): string {
  return name.replace(/^x-/, '').split('-', 1)[0] ?? '';
}
