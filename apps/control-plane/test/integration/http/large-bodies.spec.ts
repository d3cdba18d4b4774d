import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';

import { casesOf, inBoth, inRelease, it } from '@understudy/testing';

import { signedIn } from '../harness/browser.js';
import { sampleBody } from '../harness/sample-requests.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const MIB = 1024 * 1024;
const LIMIT = 32 * MIB;
const JOB = sampleBody('createSyncJob') as Record<string, unknown>;

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ http: { requestTimeoutMs: 60_000 } });
});
afterAll(() => plane?.stop());

const error = (code: string) => ({ error: expect.objectContaining({ code }), meta: expect.anything() });
const padded = (bytes: number, job: object = JOB) => JSON.stringify(job).padEnd(bytes, ' ');
const post = (body: string, headers: Record<string, string> = {}) =>
  plane.request('/v1/sync/jobs', { method: 'POST', body, headers });

/** A request whose body a test sends in parts. */
function begin(headers: Record<string, string>) {
  const { hostname, port } = new URL(plane.url);
  const request: ClientRequest = openRequest({
    ...{ hostname, port, path: '/v1/sync/jobs', method: 'POST' },
    headers: { authorization: `Bearer ${plane.token}`, 'content-type': 'application/json', ...headers },
  });
  const response = once(request, 'response').then(([message]) => message as IncomingMessage);
  return { request, response };
}

async function write(request: ClientRequest, text: string): Promise<void> {
  if (!request.write(text)) await once(request, 'drain');
}

describe('the body of a sync job', () => {
  it('[8/20] may have 32 MiB, and is refused with one byte more', async () => {
    expect((await post(padded(LIMIT))).status).toBe(201);
    const refused = await post(padded(LIMIT + 1));
    expect([refused.status, refused.body]).toEqual([413, error('payload_too_large')]);
  });

  inRelease('may have the same size at the route of the dashboard', async () => {
    const browser = await signedIn(plane);
    const create = (body: string) => browser.request('/dashboard/v1/sync/jobs', { method: 'POST', body });
    expect((await create(padded(LIMIT))).status).toBe(201);
    expect((await create(padded(LIMIT + 1))).status).toBe(413);
  });

  it('is refused without a declared length as soon as it is too large', async () => {
    const { request, response } = begin({ 'transfer-encoding': 'chunked' });
    for (let sent = 0; sent <= LIMIT; sent += MIB) await write(request, ' '.repeat(MIB));
    expect((await response).statusCode).toBe(413);
    request.destroy();
  });

  it.each([
    ['is not JSON', `{"name":`, 400, 'bad_request'],
    ['nests too deep', `{"a":${'['.repeat(70)}`, 422, 'limit_exceeded'],
    ['has unknown fields', `{"a":1}`, 422, 'validation_error'],
  ])('is refused if it %s', async (_, start, status, code) => {
    const { status: found, body } = await post(start.padEnd(2 * MIB, ' '));
    expect([found, body]).toEqual([status, error(code)]);
  });

  inBoth.each(casesOf(['{"a":1},', '[],', '{},', '1,', '"",'], 1))(
    'is refused if it has more than a million of %s',
    async (value) => {
      const hostile = await post(`{"a":[${value.repeat((LIMIT - 10) / value.length)}1]}`);
      expect([hostile.status, hostile.body]).toEqual([422, error('limit_exceeded')]);
    },
  );

  it('is refused with all its mistakes counted if each of 500,000 fields is unknown', async () => {
    const fields = Array.from({ length: 500_000 }, (_, index) => `"${index.toString(36)}":1`);
    const { status, body } = await post(`{"tables":[{${fields.join()}}]}`);
    expect([status, body]).toMatchObject([422, { error: { code: 'validation_error' } }]);
    expect(body['error']).toMatchObject({ message: expect.stringMatching(/\(and 50000\d more\)$/) });
  });

  it('is not decompressed', async () => {
    const refused = await post(padded(2 * MIB), { 'content-encoding': 'gzip' });
    expect([refused.status, refused.body]).toEqual([415, error('unsupported_media_type')]);
  });

  it('is not kept if the client disconnects', async () => {
    for (let aborted = 0; aborted < 20; aborted += 1) {
      const { request, response } = begin({ 'content-length': String(LIMIT) });
      response.catch(() => undefined);
      await write(request, ' '.repeat(8 * MIB));
      request.destroy();
    }
    expect((await post(padded(16 * MIB))).status).toBe(201);
  });

  it('waits for memory if an organisation sends too many at a time', async () => {
    const whole = padded(LIMIT);
    const headers = { 'content-length': String(LIMIT) };
    const held = Array.from({ length: 4 }, () => begin(headers));
    for (const { request } of held) await write(request, whole.slice(0, -1));
    const refused = begin(headers);
    refused.request.end(whole);
    const { statusCode, headers: received } = await refused.response;
    expect([statusCode, received['retry-after']]).toEqual([503, '5']);
    for (const { request } of held) request.end(whole.slice(-1));
    for (const { response } of held) expect((await response).statusCode).toBe(201);
    expect((await post(whole)).status).toBe(201);
  });
});

describe('an Idempotency-Key of a large body', () => {
  it('replays the response to the same bytes, and refuses other ones', async () => {
    const headers = { 'idempotency-key': 'large' };
    const first = await post(padded(2 * MIB), headers);
    const again = await post(padded(2 * MIB), headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body['data']).toEqual(first.body['data']);
    const other = await post(padded(2 * MIB + 1), headers);
    expect([other.status, other.body]).toEqual([422, error('validation_error')]);
  });

  it('ignores spaces in a body of up to 1 MiB', async () => {
    const headers = { 'idempotency-key': 'small' };
    await post(padded(MIB), headers);
    const again = await post(padded(MIB - 1), headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });
});
