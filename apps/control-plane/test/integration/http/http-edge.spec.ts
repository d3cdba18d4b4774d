import { connect } from 'node:net';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const JOB = {
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [{ name: 'customers', columns: { id: { preserve: true } } }],
};

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const error = (code: string) => ({
  error: expect.objectContaining({ code, message: expect.any(String) }),
  meta: { request_id: expect.stringMatching(/^req_[0-9A-Z]{26}$/), timestamp: expect.stringMatching(/Z$/) },
});

describe('envelopes', () => {
  it('wraps data with its own request id and ignores an id from the client', async () => {
    const { status, body } = await plane.request('/v1/sync/jobs', {
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { jobs: [], total: 0, page: 1, per_page: 20 },
      meta: { request_id: expect.stringMatching(/^req_[0-9A-Z]{26}$/), timestamp: expect.any(String) },
    });
  });

  it.each([
    ['GET', '/v1/nothing', 404, 'not_found'],
    ['GET', '/nothing', 404, 'not_found'],
    ['GET', '/', 404, 'not_found'],
    ['GET', '/v1', 404, 'not_found'],
    ['GET', '/v1/sync/jobs/%zz', 404, 'not_found'],
    ['GET', '/v1/sync/jobs/job_%00', 404, 'not_found'],
    ['DELETE', '/v1/org/members/%00', 404, 'not_found'],
    ['GET', `/v1/sync/jobs/${'x'.repeat(600)}`, 404, 'not_found'],
    ['GET', '/v1/sync/jobs/job_00000000000000000000000000', 404, 'not_found'],
    ['GET', "/v1/sync/jobs/'%20OR%201=1", 404, 'not_found'],
    ['PUT', '/v1/sync/jobs', 405, 'method_not_allowed'],
    ['DELETE', '/v1/generate', 405, 'method_not_allowed'],
    ['OPTIONS', '/v1/generate', 405, 'method_not_allowed'],
  ])('answers %s %s with %i', async (method, path, status, code) => {
    const response = await plane.request(path, { method });
    expect(response.body).toEqual(error(code));
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.get('allow')).toMatch(/POST/);
  });

  it('wraps the response to bytes that are not HTTP', async () => {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(plane.url).port), '127.0.0.1', () =>
        socket.write('nonsense\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (data) => (text += data.toString())).on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual(error('bad_request'));
  });
});

describe('bodies', () => {
  it.each([
    ['{"name":', 400, 'bad_request'],
    ['', 400, 'bad_request'],
    ['[]', 422, 'validation_error'],
    ['null', 422, 'validation_error'],
    ['"x"', 422, 'validation_error'],
    ['{}', 422, 'validation_error'],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 422, 'limit_exceeded'],
  ])('answers %j with %i', async (text, status, code) => {
    const response = await plane.request('/v1/sync/jobs', { method: 'POST', body: text });
    expect(response.body).toEqual(error(code));
    expect(response.status).toBe(status);
  });

  it('[8/20] accepts 1 MiB and refuses one byte more', async () => {
    const size = 1024 * 1024;
    const padded = (bytes: number) => JSON.stringify({ name: 'padded', role: 'viewer' }).padEnd(bytes, ' ');
    expect((await plane.request('/v1/tokens', { method: 'POST', body: padded(size) })).status).toBe(201);
    const large = await plane.request('/v1/tokens', { method: 'POST', body: padded(size + 1) });
    expect(large.body).toEqual(error('payload_too_large'));
    expect(large.status).toBe(413);
  });

  it('refuses other media types, encodings and bytes that are not UTF-8', async () => {
    const post = (headers: Record<string, string>) =>
      plane.request('/v1/sync/jobs', { method: 'POST', body: JSON.stringify(JOB), headers });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'x',
    ]) {
      const response = await post({ 'content-type': type });
      expect([type, response.status]).toEqual([type, 415]);
      expect(response.body).toEqual(error('unsupported_media_type'));
    }
    expect((await post({ 'content-encoding': 'gzip' })).status).toBe(415);
    // The server ignores the content type of a GET request, which has no body.
    const types = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await plane.request('/v1/sync/jobs', { headers: types })).status).toBe(200);
    expect((await post({ 'content-type': 'application/json; charset=utf-8' })).status).toBe(201);
  });
});

describe('tokens', () => {
  it('are checked before the path, the media type and the body', async () => {
    const token = null;
    const requests = [
      plane.request('/v1/sync/jobs/job_x', { token }),
      plane.request('/v1/nothing', { token }),
      plane.request('/v1/sync/jobs', { token, method: 'PUT' }),
      plane.request('/v1/sync/jobs', { token, method: 'POST', body: '{' }),
      plane.request('/v1/sync/jobs', {
        token,
        method: 'POST',
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      plane.request('/v1/sync/jobs', { token, method: 'POST', body: ' '.repeat(1024 * 1024 + 1) }),
      plane.request('/%761/sync/jobs', { token }),
    ];
    for (const { status, body } of await Promise.all(requests)) {
      expect(status).toBe(401);
      expect(body).toEqual(error('unauthorized'));
    }
  });

  it('are refused with the same message if they are invalid, unknown, changed, expired or revoked', async () => {
    const unknown = plane.token.slice(0, -6) + '000000';
    const expired = await plane.addToken({ expiresInDays: -1 });
    const revoked = await plane.addToken({});
    expect((await plane.request('/v1/sync/jobs', { token: revoked.token })).status).toBe(200);
    await plane.query('UPDATE api_tokens SET revoked_at = now() WHERE id = $1', [revoked.id]);
    const responses = await Promise.all(
      ['x', unknown, expired.token, revoked.token].map((token) => plane.request('/v1/sync/jobs', { token })),
    );
    for (const { status, body } of responses) {
      expect(status).toBe(401);
      expect(body).toMatchObject({ error: { message: 'The API token is not valid.' } });
    }
    const basic = await plane.request('/v1/sync/jobs', {
      token: null,
      headers: { authorization: 'Basic b3BzOm9wcw==' },
    });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('allow a viewer to read and generate, but not to create jobs', async () => {
    const { token } = await plane.addToken({ role: 'viewer' });
    expect((await plane.request('/v1/sync/jobs', { token })).status).toBe(200);
    const posted = await plane.request('/v1/sync/jobs', { token, method: 'POST', body: JOB });
    expect(posted.status).toBe(403);
    expect(posted.body).toEqual(error('forbidden'));
  });

  it('are stored as a hash, with the time of their last use', async () => {
    const rows = await plane.query('SELECT * FROM api_tokens');
    expect(JSON.stringify(rows)).not.toContain(plane.token);
    expect(rows.some(({ last_used_at }) => last_used_at !== null)).toBe(true);
  });
});
