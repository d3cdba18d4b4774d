import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types worker-url";
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the files of the dashboard', () => {
  let controlPlane: ControlPlane;
  let page: string;
  let script: string;
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(controlPlane.url + path, { method, headers, redirect: 'manual' });

  beforeAll(async () => {
    controlPlane = await startControlPlane({ http: { publicUrl: 'https://example.com/a/b' } });
    page = await (await send('/dashboard/', HTML)).text();
    script = /src="\/a\/b(\/dashboard\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'no script';
  });
  afterAll(() => controlPlane.stop());

  it('contain absolute URLs with the path prefix of the public URL', () => {
    expect(page).toContain('<meta name="base-path" content="/a/b" />');
    const urls = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) expect(url).toMatch(/^\/a\/b\/dashboard\//);
  });

  it.each([
    '/dashboard/',
    '/dashboard/sync-jobs/job_1?tab=tables',
    '/dashboard/assets.html',
    '/dashboard/models/en_US/first_names',
  ])('send the page with the policy for %s', async (path) => {
    const response = await send(path, HTML);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(page);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(response.headers.get('permissions-policy')).toContain('camera=()');
  });

  it('answer HEAD without a body, and 304 for a known entity tag', async () => {
    const head = await send('/dashboard/agents', HTML, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const etag = head.headers.get('etag') ?? '';
    expect((await send('/dashboard/agents', { ...HTML, 'if-none-match': etag })).status).toBe(304);
    // A proxy that compresses the page makes the tag weak.
    expect((await send('/dashboard/', { ...HTML, 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
    expect((await send('/dashboard/', { ...HTML, 'if-none-match': '"x"' })).status).toBe(200);
  });

  it.each(['/dashboard', '/'])('redirect %s to the dashboard', async (path) => {
    const response = await send(path, HTML);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/a/b/dashboard/']);
  });

  it.each([
    ['/dashboard/v1/nothing', HTML],
    ['/dashboard/v1', HTML],
    ['/dashboard/%76%31/nothing', HTML],
    ['/dashboard/session/nothing', HTML],
    ['/dashboard/sessions/nothing', HTML],
    ['/dashboard/sign-in-links/nothing', HTML],
    ['/dashboard/model-files/nothing', HTML],
    ['/dashboard/assets/nothing.js', HTML],
    ['/dashboard/assets/', HTML],
    ['/dashboard/.vite/manifest.json', { accept: '*/*' }],
    ['/dashboard/index.html.br', { accept: '*/*' }],
    ['/dashboard/agents', { accept: 'application/json' }],
    ['/dashboard/assets/..%2f..%2f..%2fpackage.json', HTML],
    ['/', { accept: '*/*' }],
  ])('do not send the page for %s with the headers %j', async (path, headers) => {
    const response = await send(path, headers);
    expect([401, 404]).toContain(response.status);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.text()).not.toContain('<html');
  });

  it('accept only GET and HEAD', async () => {
    const response = await send('/dashboard/agents', HTML, 'POST');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are sent compressed, and are kept for a year if their names contain a hash', async () => {
    const plain = await download(script, 'identity');
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await download(script, accepted);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^(text|application)\/javascript/);
      expect(headers['vary']).toMatch(/accept-encoding/i);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(body.length).toBeLessThan(plain.body.length / 2);
      expect(decode(body).equals(plain.body)).toBe(true);
    }
    const theme = await download('/dashboard/theme.js', 'identity');
    expect(theme.headers['cache-control']).toBe('no-cache');
    expect(theme.body.equals(readFileSync('apps/dashboard/public/theme.js'))).toBe(true);
  });

  async function download(path: string, encoding: string) {
    return new Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }>(
      (resolve, reject) => {
        const url = controlPlane.url + path;
        get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve({ headers: response.headers, body: Buffer.concat(chunks) });
        }).on('error', reject);
      },
    );
  }
});
