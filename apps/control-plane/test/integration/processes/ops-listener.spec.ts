import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { getDataSourceToken } from '@nestjs/typeorm';
import { waitFor } from '@understudy/testing';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { JobQueue } from '../../../src/platform/job-queue/job-queue.js';
import { DISPATCH_TOPIC } from '../../../src/agents/agent-work/leases/work-offers.js';
import { sendRaw } from '../harness/raw-connection.js';
import { OPS_PASSWORD, startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const FAILED_LOGINS = 10;

let plane: ControlPlane;
beforeAll(async () => {
  // No check is repeated within a test, so that the duration of the tests does not matter.
  plane = await startControlPlane({ ops: { readinessMs: 3_600_000, failedLoginsPerMinute: FAILED_LOGINS } });
});
afterAll(() => plane?.stop());

const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` });
const ops = (path: string, headers: Record<string, string> = {}) =>
  plane.request(path, { token: null, at: plane.opsUrl, headers });
const refusal = (code: string) => ({ error: expect.objectContaining({ code }) });

describe('the public listener', () => {
  it('responds to parallel probes with one check of each service', async () => {
    const dataSource = plane.app.get<DataSource>(getDataSourceToken());
    const query = jest.spyOn(dataSource, 'query');
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => plane.request('/readyz', { token: null })),
    );
    const asked = query.mock.calls.filter(([sql]) => sql === 'SELECT 1');
    query.mockRestore();
    expect(asked).toHaveLength(1);
    for (const { status, body } of responses)
      expect([status, body]).toEqual([
        200,
        { status: 'ok', services: { postgres: 'ok', redis: 'ok', nats: 'ok' } },
      ]);
    expect((await plane.request('/healthz', { token: null })).body).toEqual({ status: 'ok' });
  });

  it('serves neither the metrics nor the ops page', async () => {
    for (const path of ['/metrics', '/ops', '/ops/', '/ops/api/queues']) {
      const response = await plane.request(path, { token: null, headers: basic(`ops:${OPS_PASSWORD}`) });
      expect([path, response.status, response.body]).toMatchObject([path, 404, refusal('not_found')]);
    }
  });

  it('serves the reference page', async () => {
    expect((await plane.request('/docs', { token: null })).text).toContain('<html');
  });
});

describe('the ops listener', () => {
  it('reports the response time of each service and the waiting work', async () => {
    const { status, body } = await ops('/readyz');
    const check = { state: 'ok', milliseconds: expect.any(Number) };
    expect([status, body]).toEqual([
      200,
      {
        status: 'ok',
        services: { postgres: check, redis: check, nats: check },
        queue_depth: expect.any(Number),
        outbox: { waiting: expect.any(Number), oldest_seconds: expect.any(Number) },
        agents_live: 0,
        uptime_seconds: expect.any(Number),
      },
    ]);
  });

  it('serves the metrics of the API', async () => {
    await plane.request('/v1/sync/jobs');
    const { text, headers } = await ops('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(
      /understudy_http_requests_total\{method="GET",route="\/v1\/sync\/jobs",status="200"\} \d+/,
    );
    for (const name of ['queue_depth', 'outbox_waiting', 'outbox_lag_seconds', 'agents_live'])
      expect(text).toMatch(new RegExp(`^understudy_${name} \\d`, 'm'));
  });

  it('serves no operation of the API', async () => {
    const headers = { authorization: `Bearer ${plane.token}` };
    for (const path of ['/v1/org', '/docs', '/mock/x', '/healthz', '/']) {
      const response = await fetch(plane.opsUrl + path, { headers });
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, refusal('not_found')]);
    }
  });

  it('serves the ops page only to its user', async () => {
    for (const headers of [{}, basic('ops:wrong'), basic('ops'), basic(`x:${OPS_PASSWORD}`)]) {
      const refused = await ops('/ops', headers);
      expect([refused.status, refused.body]).toMatchObject([401, refusal('unauthorized')]);
      expect(refused.headers.get('www-authenticate')).toContain('Basic');
    }
    const page = await ops('/ops', basic(`ops:${OPS_PASSWORD}`));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<html')]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const queues = await ops('/ops/api/queues', basic(`ops:${OPS_PASSWORD}`));
    expect(queues.body).toMatchObject({ queues: [{ name: 'work' }, { name: 'webhooks' }] });
    expect((await ops('/ops/api/queues')).status).toBe(401);
  });

  it('lists ended work, and work with the same key runs again while it is listed', async () => {
    const id = `job_${ulid()}`;
    const page = () => ops('/ops/ended-work', basic(`ops:${OPS_PASSWORD}`));
    for (const times of [1, 2]) {
      await plane.app.get(JobQueue, { strict: false }).add(DISPATCH_TOPIC, [id]);
      await waitFor(
        'the entry',
        async () => (await page()).text.split(`<td>${id}</td>`).length === times + 1,
      );
    }
    expect((await page()).headers.get('content-security-policy')).toContain("default-src 'self'");
    expect((await ops('/ops/ended-work')).status).toBe(401);
    expect((await ops('/ops', basic(`ops:${OPS_PASSWORD}`))).text).toContain('/ops/ended-work');
  });

  it('responds to other addresses while one address holds 4,300 half-open connections', async () => {
    const port = Number(new URL(plane.opsUrl).port);
    const open = (localAddress: string) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      socket.on('error', () => undefined); // the listener closes connections above its limit
      socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
      return socket;
    };
    const crowd: Socket[] = [];
    try {
      while (crowd.length < 4_300) {
        const more = Array.from({ length: 100 }, () => open('127.0.0.2')); // fewer than the listener's queue holds
        await Promise.all(more.map((socket) => once(socket, 'connect')));
        crowd.push(...more);
      }
      for (const path of ['/readyz', '/metrics']) {
        const [response] = await sendRaw(plane.opsUrl, [`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`]);
        expect([path, response?.status]).toEqual([path, 200]);
      }
    } finally {
      for (const socket of crowd) socket.destroy();
    }
  });

  // This test runs last, because it uses up the login attempts of this machine's address.
  it('refuses every login from an address with too many failures, even with the right password', async () => {
    let failed = 0;
    for (let status = 401; status === 401; failed += 1) {
      expect(failed).toBeLessThan(FAILED_LOGINS + 1);
      ({ status } = await ops('/ops', basic(`ops:guess ${failed}`)));
    }
    const refused = await ops('/ops', basic(`ops:${OPS_PASSWORD}`));
    expect([refused.status, refused.body]).toMatchObject([429, refusal('rate_limit_exceeded')]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await ops('/readyz')).status).toBe(200);
  });
});
