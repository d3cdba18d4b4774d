import { createHash } from 'node:crypto';

import { signedIn } from '../harness/browser.js';
import { modelFile, modelForm } from '../harness/model-files.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const FILE = modelFile();
const HASH = createHash('sha256').update(FILE).digest('hex');
const PATH = '/v1/models/custom/names/content';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  const uploaded = await plane.request('/v1/models', { method: 'POST', body: modelForm({ file: FILE }) });
  expect(uploaded.status).toBe(201);
});
afterAll(() => plane?.stop());

const download = (path: string, headers: Record<string, string> = {}) =>
  fetch(plane.url + path, { headers: { authorization: `Bearer ${plane.token}`, ...headers } });
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('downloading a model', () => {
  it.each([PATH, '/v1/models/custom%2Fnames/content'])(
    'returns the bytes of the upload with their hash for %s',
    async (path) => {
      const response = await download(path);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': String(FILE.length),
        'content-disposition': 'attachment; filename="names.ngram"',
        'cache-control': 'private, no-cache',
        etag: `"${HASH}"`,
      });
      expect(await bytesOf(response)).toEqual(FILE);
    },
  );

  it('returns a file of several parts', async () => {
    const values = Array.from({ length: 60_000 }, (_, index) =>
      createHash('sha1').update(`${index}`).digest('hex'),
    );
    const file = modelFile({ order: 5 }, values);
    expect(file.length).toBeGreaterThan(1024 * 1024);
    await plane.request('/v1/models', { method: 'POST', body: modelForm({ name: 'large', file }) });
    const received = await bytesOf(await download('/v1/models/custom/large/content'));
    expect(createHash('sha256').update(received).digest('hex')).toBe(
      createHash('sha256').update(file).digest('hex'),
    );
  });

  it('returns 304 without the bytes to a client that has the file', async () => {
    const headers = { 'if-none-match': `"${HASH}"` };
    const response = await download(PATH, headers);
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([
      304,
      '',
      `"${HASH}"`,
    ]);
    expect((await download(PATH, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('returns the new file after another one was uploaded under the same id', async () => {
    const other = modelFile({}, ['Udo', 'Ute', 'Ulf']);
    const replace = async (file: Uint8Array<ArrayBuffer>) => {
      await plane.request('/v1/models/custom/replaced', { method: 'DELETE' });
      await plane.request('/v1/models', { method: 'POST', body: modelForm({ name: 'replaced', file }) });
      return bytesOf(await download('/v1/models/custom/replaced/content'));
    };
    expect(await replace(FILE)).toEqual(FILE);
    expect(await replace(other)).toEqual(other);
  });

  it('works in the dashboard with the cookie of a session', async () => {
    const browser = await signedIn(plane);
    const response = await download(`/dashboard${PATH}`, {
      authorization: '',
      cookie: browser.cookie,
      'sec-fetch-site': 'same-origin',
    });
    expect([response.status, await bytesOf(response)]).toEqual([200, FILE]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await download(PATH, { authorization: '', cookie: browser.cookie })).status).toBe(401);
  });
});

describe('a model that cannot be downloaded', () => {
  const refused = async (path: string, token = plane.token) => {
    const { status, body } = await plane.request(path, { token });
    const { error } = body as { error?: { code: string; message: string } };
    return [status, error?.code, error?.message];
  };
  const NO_FILE =
    'Expected the id of a custom model, like custom/street-names. Other models have no file to download.';

  it('is one of another organisation, or one that does not exist', async () => {
    const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
    const unknown = [404, 'not_found', 'There is no such model.'];
    expect(await refused(PATH, token)).toEqual(unknown);
    expect(await refused('/v1/models/custom/other/content')).toEqual(unknown);
    expect(await refused('/v1/models/custom/../content')).toEqual(unknown);
  });

  it('is a private model, which only the agent has, or a built-in one', async () => {
    await plane.query(
      `INSERT INTO private_models (organization_id, name, hash, agent_id, trained_at)
       VALUES ($1, 'private/names', $2, $3, now())`,
      [plane.orgId, HASH, await plane.addAgent({})],
    );
    expect((await plane.request('/v1/models/private/names')).status).toBe(200);
    expect(await refused('/v1/models/private/names/content')).toEqual([404, 'not_found', NO_FILE]);
    expect(await refused('/v1/models/en_US/first_names/content')).toEqual([404, 'not_found', NO_FILE]);
  });

  it('is any model, if the token lacks the scope', async () => {
    const { token } = await plane.addToken({ scopes: ['jobs:read'] });
    expect((await refused(PATH, token)).slice(0, 2)).toEqual([403, 'forbidden']);
    const { token: sufficient } = await plane.addToken({ role: 'viewer', scopes: ['models:read'] });
    expect((await plane.request(PATH, { token: sufficient })).status).toBe(200);
  });
});
