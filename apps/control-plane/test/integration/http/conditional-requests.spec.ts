import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';
import { sampleBody } from '../harness/sample-requests.js';

let plane: ControlPlane;
let path: string;
beforeAll(async () => {
  // The number of counted calls is a part of /v1/org, so it must not change between two requests.
  plane = await startControlPlane({ usage: { flushMs: 3_600_000 } });
  const { body } = await plane.request('/v1/sync/jobs', {
    method: 'POST',
    body: sampleBody('createSyncJob'),
  });
  path = `/v1/sync/jobs/${(body as unknown as { data: { id: string } }).data.id}`;
  // The dispatcher adds a warning to a job that waits for an agent, which changes the resource.
  expect((await plane.request(path, { method: 'DELETE' })).status).toBeLessThan(300);
});
afterAll(() => plane?.stop());

const get = (at: string, known?: string, method = 'GET') =>
  plane.request(at, { method, headers: known === undefined ? {} : { 'if-none-match': known } });

async function tagOf(at: string): Promise<string> {
  const { status, headers } = await get(at);
  const tag = headers.get('etag') ?? '';
  expect([at, status, tag, headers.get('cache-control')]).toEqual([
    ...[at, 200, expect.stringMatching(/^W\/"[\w-]{43}"$/), 'private, no-cache'],
  ]);
  return tag;
}

describe('a GET request with If-None-Match', () => {
  it('gets 304 without a body as long as the resource is the same', async () => {
    for (const at of [
      path,
      `${path}?tables=none`,
      `${path}/tables`,
      '/v1/sync/jobs',
      '/v1/agents',
      '/v1/org',
    ]) {
      const tag = await tagOf(at);
      for (const known of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
        const response = await get(at, known);
        expect([at, known, response.status, response.text]).toEqual([at, known, 304, '']);
        expect([response.headers.get('etag'), response.headers.get('x-request-id')]).toEqual([
          ...[tag, expect.stringMatching(/^req_/)],
        ]);
      }
      expect((await get(at, tag, 'HEAD')).status).toBe(304);
    }
  });

  it('gets the resource and a new tag after a change', async () => {
    const tag = await tagOf(path);
    await plane.query(`UPDATE sync_jobs SET name = 'renamed'`);
    const response = await get(path, tag);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ data: { name: 'renamed' } });
    expect(response.headers.get('etag')).not.toBe(tag);
    expect((await get(path, '')).status).toBe(200);
  });

  it('gets an error without a tag, even for *', async () => {
    const response = await get('/v1/sync/jobs/job_unknown', '*');
    expect([response.status, response.headers.get('etag')]).toEqual([404, null]);
    const anonymous = await plane.request(path, { token: null, headers: { 'if-none-match': '*' } });
    expect([anonymous.status, anonymous.headers.get('etag')]).toEqual([401, null]);
  });
});

describe('a POST request with If-None-Match', () => {
  it('is carried out and has no tag', async () => {
    const response = await plane.request('/v1/sync/jobs', {
      ...{ method: 'POST', body: sampleBody('createSyncJob'), headers: { 'if-none-match': '*' } },
    });
    expect([response.status, response.headers.get('etag')]).toEqual([201, null]);
  });
});
