import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createUserSeed } from '@understudy/agent-protocol/nats-trust';
import { Outbound } from '@understudy/outbound';

import { renew, retryDelayMs } from './enrolment-client.js';

describe('retryDelayMs', () => {
  it('doubles from 2 s to a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 2_000].map((failures) => retryDelayMs(failures, 0))).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('is shortened by at most a quarter', () => {
    expect(retryDelayMs(1, 1)).toBe(1_500);
    expect(retryDelayMs(50, 1)).toBe(45_000);
  });
});

describe('a refused renewal', () => {
  const now = () => new Date().toUTCString();
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toUTCString();
  const ofApi = (code: string) => JSON.stringify({ error: { code }, meta: { request_id: 'req_1' } });
  let answer: { readonly status: number; readonly date: () => string; readonly body: string };
  let server: Server;
  let controlUrl: string;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(answer.status, { date: answer.date() }).end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  it.each([
    ['revoked', 'a revoked agent', 403, now, ofApi('forbidden')],
    ['superseded', 'an identity that another process uses', 409, now, ofApi('conflict')],
    ['clock', 'a wrong clock', 401, anHourAgo, ofApi('unauthorized')],
    ['unknown', 'an unknown agent', 401, now, ofApi('unauthorized')],
    ['unknown', 'the 403 page of a proxy', 403, now, '<html>blocked</html>'],
    ['unknown', 'the 409 of a proxy', 409, now, 'null'],
    ['unknown', 'a control plane at its limit', 429, now, ofApi('rate_limit_exceeded')],
  ])('has the reason %s for %s', async (reason, _, status, date, body) => {
    answer = { status, date, body };
    const agent = { agentId: 'agt_1', natsSeed: createUserSeed() };
    await expect(
      renew(new Outbound(), controlUrl, agent, { id: 'i', takesOver: false }, new Date()),
    ).rejects.toMatchObject({ reason });
  });
});
