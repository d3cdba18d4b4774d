import fc from 'fast-check';
import { validateHeaderName, validateHeaderValue } from 'node:http';

import { headerProblems, reservedHeaders } from './response-headers.js';

const problem = (name: string, value: unknown) => headerProblems({ [name]: value }, 'h')[0]?.message;

it('accepts ordinary headers of a mock response', () => {
  const headers = {
    'X-Total-Count': '7',
    Link: '</a?page=2>; rel="next"',
    ETag: '"x"',
    'Cache-Control': 'max-age=5',
    'X-Policy-Number': '17',
    'X-Settings-Version': '2',
    'Flyer-Id': '3',
    'X-Edges': '4',
    'X-Amz-Request-Id': '5',
    'X-Page': '6',
    'X-Cache': 'HIT',
  };
  expect(headerProblems(headers, 'h')).toEqual([]);
  expect(problem('Content-Language', 'de')).toBeUndefined();
});

it.each([
  'Set-Cookie',
  'content-type',
  'Content-Length',
  'CONTENT-SECURITY-POLICY',
  'content-encoding',
  'Transfer-Encoding',
  'Connection',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Service-Worker-Allowed',
  'Clear-Site-Data',
  'Refresh',
  'X-Accel-Redirect',
  'X-RateLimit-Limit',
  'X-Request-Id',
  'WWW-Authenticate',
  'Strict-Transport-Security',
  'X-Reproxy-URL',
  'X-Forwarded-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Sendfile2',
  'X-Archive-Files',
  'Via',
  'Status',
  'Surrogate-Control',
  'CDN-Cache-Control',
  'Edge-Control',
  'Location',
  'X-LiteSpeed-Location',
  'X-Envoy-Immediate-Health-Check-Fail',
  'X-Middleware-Rewrite',
  'Netlify-CDN-Cache-Control',
  'Surrogate-Key',
  'Cache-Tag',
  'Accept-CH',
  'Attribution-Reporting-Register-Source',
  'X-Content-Security-Policy-Report-Only',
  'X-SourceMap',
  'Forwarded',
  'Fly-Replay',
  'fly-cache',
  'X-AppEngine-BlobKey',
  'Netlify-Vary',
  'X-NF-Request-ID',
  'Edge-Cache-Tag',
  'X-Cache-Tags',
  'CDN-Tag',
  'CF-Edge-Cache',
  'X-Vercel-Cache-Tags',
  'Vercel-Cache-Tag',
  'X-LSCache-Vary',
  'Akamai-Cache-Status',
  'Fastly-Debug',
  'X-Magento-Vary',
  'Grip-Hold',
  'PageSpeed',
  'X-Mod-Pagespeed',
  'Vary',
  'Feature-Policy',
  'Document-Policy',
  'Origin-Trial',
  'Integrity-Policy',
  'Integrity-Policy-Report-Only',
  'Public-Key-Pins',
  'Public-Key-Pins-Report-Only',
  'Document-Isolation-Policy-Report-Only',
  'X-WebKit-CSP-Report-Only',
  'Some-Future-Policy',
  'Set-Future',
  'Supports-Loading-Mode',
  'Accept-CH-Lifetime',
  'X-Auto-Login',
])('refuses the reserved header %s', (name) => {
  expect(problem(name, 'x')).toBe('is a reserved header that an endpoint cannot set');
});

it('names the headers of a stored endpoint that are not sent', () => {
  const headers = { 'X-A': '1', 'sEt-Cookie': 'a=b', Location: '/x', 'Content-Language': 'de' };
  expect(reservedHeaders({ headers, status: 200 })).toEqual(['sEt-Cookie', 'Location']);
  expect(reservedHeaders({ headers, status: 201 })).toEqual(['sEt-Cookie']);
});

it('accepts Location only with the status 201', () => {
  const problems = (status: number) => headerProblems({ Location: '/users/7' }, 'h', status);
  expect(problems(201)).toEqual([]);
  for (const status of [200, 202, 204, 400, 503]) expect(problems(status)).toHaveLength(1);
});

it('accepts no header that Node would not send unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
      if (problem(name, value) !== undefined) return;
      validateHeaderName(name);
      validateHeaderValue(name, value);
      expect(value).not.toMatch(/[\r\n]/);
    }),
  );
  for (const value of ['', ' x', 'x\r\nset-cookie: a=b', 'x\0', 'é', 'x'.repeat(1_025), 5, null, ['a']])
    expect(problem('X-A', value)).toContain('visible ASCII');
});

it('accepts at most twenty headers, and each header once', () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, 'v']));
  expect(headerProblems(many, 'h')[0]?.message).toBe('expected at most 20 headers, got 21');
  expect(headerProblems({ 'X-A': '1', 'x-a': '2' }, 'h')).toEqual([
    { field: 'h.x-a', message: 'is given more than once' },
  ]);
  expect(headerProblems([], 'h')[0]?.message).toContain('an object');
});
