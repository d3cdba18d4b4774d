import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { waitFor } from '@understudy/testing';

import { sendRaw } from '../harness/raw-connection.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const MAX_CONNECTIONS = 20;

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({
    http: { maxConnections: MAX_CONNECTIONS, trustedProxies: ['127.0.0.1'] },
    rateLimits: { windowSeconds: 3_600, anonymousPerMinute: 5, answerWithinMs: 30_000 },
  });
});
afterAll(() => plane?.stop());

/** How many requests the client behind the proxy has left. */
async function remainingAfter(request: string): Promise<number> {
  const [answer] = await sendRaw(plane.url, [request]);
  return Number(answer?.headers['x-ratelimit-remaining'] ?? NaN);
}

describe('the API’s connections', () => {
  it('that are too many are closed unanswered, and others are served when some have ended', async () => {
    const open: Socket[] = [];
    const tryOne = async () => {
      const socket = connect(Number(new URL(plane.url).port), '127.0.0.1');
      socket.on('error', () => undefined); // it is closed by the server
      await once(socket, 'connect');
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      const isServed = Buffer.isBuffer(first) && first.includes('200 OK');
      if (isServed) open.push(socket);
      return isServed;
    };
    await waitFor('a connection to be closed', async () => !(await tryOne()));
    expect(open.length).toBeLessThanOrEqual(MAX_CONNECTIONS);
    for (const socket of open) socket.destroy();
    await waitFor('a connection to be served', tryOne);
    for (const socket of open) socket.destroy();
  });
});

describe('a request that is not answered by the API', () => {
  it('counts against the client that a trusted proxy names', async () => {
    const tunnel = (client: string) =>
      remainingAfter(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n\r\n`);
    expect(await tunnel('203.0.113.1')).toBe(4);
    expect(await tunnel('203.0.113.2')).toBe(4);
    expect(await tunnel('203.0.113.1')).toBe(3);
    // It cannot be read who asks: the proxy is.
    expect(await remainingAfter('not http\r\n\r\n')).toBe(4);
    expect(await tunnel('127.0.0.1')).toBe(3);
  });
});
