import { BUILTIN_ASSETS_FOLDER } from '@understudy/builtin-models/node';
import { ENGINE_VERSION } from '@understudy/generator';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const FOLDER = `/dashboard/model-files/${ENGINE_VERSION}`;

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(plane.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });

describe(`GET ${FOLDER}/*`, () => {
  it('serves every file of the built-in models without a token, for browsers to keep', async () => {
    const files = readdirSync(BUILTIN_ASSETS_FOLDER, { recursive: true, encoding: 'utf8' });
    const paths = files.filter((path) => /\.(json|ngram)$/.test(path));
    expect(paths.length).toBeGreaterThan(200);
    for (const path of paths) {
      const response = await get(`${FOLDER}/${path}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([path, response.status]).toEqual([path, 200]);
      expect(bytes.equals(readFileSync(join(BUILTIN_ASSETS_FOLDER, path)))).toBe(true);
      expect(response.headers.get('cache-control')).toBe(
        path === 'index.json' ? 'no-cache' : 'public, max-age=31536000, immutable',
      );
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('compresses a file for a client that accepts gzip', async () => {
    const path = `${FOLDER}/en_US/words.ngram`;
    const [packed, refused] = [
      await get(path, { 'accept-encoding': 'br, gzip' }),
      await get(path, { 'accept-encoding': 'gzip;q=0' }),
    ];
    const plain = readFileSync(join(BUILTIN_ASSETS_FOLDER, 'en_US/words.ngram'));
    expect([packed.headers.get('content-encoding'), refused.headers.get('content-encoding')]).toEqual([
      'gzip',
      null,
    ]);
    // fetch decodes the body.
    for (const response of [packed, refused])
      expect(Buffer.from(await response.arrayBuffer()).equals(plain)).toBe(true);
  });

  it('returns 304 if the client already has the index', async () => {
    const etag = (await get(`${FOLDER}/index.json`)).headers.get('etag') ?? '';
    expect((await get(`${FOLDER}/index.json`, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`${FOLDER}/index.json`, { 'if-none-match': 'W/"other"' })).status).toBe(200);
  });

  it.each([
    `${FOLDER}/en_US/nothing.ngram`,
    `${FOLDER}/../../package.json`,
    `${FOLDER}/..%2f..%2fpackage.json`,
    `${FOLDER}/en_US`,
    `${FOLDER}/`,
    '/dashboard/model-files/0/index.json',
  ])('has no file %s', async (path) => {
    const response = await plane.request(path, { token: null });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  });
});
