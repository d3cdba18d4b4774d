import { TestAuthority } from '@understudy/testing';

import { FaultServer } from '../../test/support/fault-server.js';
import { Understudy } from '../src/index.js';

describe('the client', () => {
  let server: FaultServer;
  let client: Understudy;
  beforeAll(async () => {
    server = await FaultServer.start();
    client = new Understudy({ token: 'token', baseUrl: server.url, maxRetries: 0 });
  });
  afterAll(() => server.stop());

  it('reports an expired certificate by its code', async () => {
    const authority = await TestAuthority.create();
    const certificate = await authority.issue(['127.0.0.1'], { fromDays: -3, toDays: -2 });
    const expired = await FaultServer.start({
      ...certificate,
      cert: `${certificate.cert}\n${authority.ca}`,
    });
    const call = new Understudy({ token: 'token', baseUrl: expired.url, maxRetries: 0 }).jobs.list();
    await expect(call).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'CERT_HAS_EXPIRED',
    });
    expect(expired.requests).toEqual([]);
    await expired.stop();
  });

  it('reports a server that does not listen', async () => {
    const closed = await FaultServer.start();
    await closed.stop();
    const call = new Understudy({ token: 'token', baseUrl: closed.url, maxRetries: 0 }).jobs.list();
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNREFUSED' });
  });

  it.each([200, 403, 502])(
    'reports the page of a proxy with the status %d without its text',
    async (status) => {
      const page = {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        text: '<h1>Sign in</h1>',
      };
      server.play([page, page]);
      for (const call of [client.jobs.list(), client.generate({ generators: {}, output: [] }, 1)]) {
        const error: unknown = await call.catch((reason: unknown) => reason);
        expect(error).toMatchObject({ status, code: 'unexpected_response' });
        expect(String(error)).toContain('text/html');
        expect(String(error)).not.toContain('Sign in');
      }
    },
  );

  it('sends the same bytes of a form in each attempt', async () => {
    server.play([{ status: 503, text: '' }, { data: { id: 'custom/names' } }]);
    const uploading = new Understudy({ token: 'token', baseUrl: server.url, retryBase: 0 });
    await uploading.models.upload({ name: 'Names', file: new TextEncoder().encode('model') });
    const [first, second] = server.requests;
    expect(first?.body).toEqual({ name: 'Names', file: { base64: 'bW9kZWw=' } });
    expect(second?.sha256).toBe(first?.sha256);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('names itself and its runtime', async () => {
    server.play([{ data: { id: 'job_1' } }]);
    await client.jobs.get('job_1');
    const { version } = jest.requireActual<{ version: string }>('../package.json');
    expect(server.requests[0]?.headers['user-agent']).toBe(
      `understudy-typescript/${version} (node ${process.versions.node})`,
    );
  });

  it.each(['', '.', '..'])('refuses the id "%s", which would change the path', async (id) => {
    server.play([]);
    await expect(client.jobs.get(id)).rejects.toThrow('getSyncJob: id: expected the id of a resource');
    expect(server.requests).toEqual([]);
  });
});
