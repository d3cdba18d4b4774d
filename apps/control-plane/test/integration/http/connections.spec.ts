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
    rateLimits: { windowSeconds: 3_600, anonymousPerMinute: 5, redisTimeoutMs: 30_000 },
  });
});
afterAll(() => plane?.stop());

/** Sends a request through the proxy. Returns how many more requests the rate limit allows to the client. */
async function remainingAfter(request: string): Promise<number> {
  const [response] = await sendRaw(plane.url, [request]);
  return Number(response?.headers['x-ratelimit-remaining'] ?? NaN);
}

describe('connections to the API', () => {
  it('are closed without a response above the limit, and accepted again after others have ended', async () => {
    const open: Socket[] = [];
    const tryOne = async () => {
      const socket = connect(Number(new URL(plane.url).port), '127.0.0.1');
      socket.on('error', () => undefined); // the server closes the connection
      await once(socket, 'connect');
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      const isServed = Buffer.isBuffer(first) && first.includes('200 OK');
      if (isServed) open.push(socket);
      return isServed;
    };
    await waitFor('a closed connection', async () => !(await tryOne()));
    expect(open.length).toBeLessThanOrEqual(MAX_CONNECTIONS);
    for (const socket of open) socket.destroy();
    await waitFor('an accepted connection', tryOne);
    for (const socket of open) socket.destroy();
  });
});

describe('connections from one address', () => {
  it('are closed above their own limit, unless the address is a trusted proxy', async () => {
    const limited = await startControlPlane(
      { http: { maxConnectionsPerAddress: 2 } },
      { ...plane.services, stop: async () => undefined },
    );
    try {
      const closed = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const socket = connect(Number(new URL(limited.url).port), '127.0.0.1');
          socket.on('error', () => undefined); // the server closes the connection
          socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
          return new Promise<boolean>((resolve) => {
            socket.on('data', () => resolve(false)).on('close', () => resolve(true));
          });
        }),
      );
      expect(closed.filter(Boolean)).toHaveLength(2);
    } finally {
      await limited.stop();
    }
  });
});

describe('a request that is refused before the API handles it', () => {
  it('counts against the client that a trusted proxy names', async () => {
    const tunnel = (client: string) =>
      remainingAfter(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\n\r\n`);
    expect(await tunnel('203.0.113.1')).toBe(4);
    expect(await tunnel('203.0.113.2')).toBe(4);
    expect(await tunnel('203.0.113.1')).toBe(3);
    // The client is not readable from an invalid request, so the proxy's address counts.
    expect(await remainingAfter('not http\r\n\r\n')).toBe(4);
    expect(await tunnel('127.0.0.1')).toBe(3);
  });
});
