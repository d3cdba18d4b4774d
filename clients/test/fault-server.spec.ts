import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { FaultServer } from './support/fault-server.js';

describe('the fault server', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await FaultServer.start();
  });
  afterAll(() => server.stop());

  it('answers each request with the next response of the script and records it', async () => {
    server.play([{ status: 503, headers: { 'retry-after': '<date+30>' } }, { data: { id: 'job_1' } }]);
    const first = await fetch(`${server.url}/sync/jobs?page=1`);
    expect([first.status, Date.parse(first.headers.get('retry-after') ?? '')]).toEqual([
      503,
      expect.any(Number),
    ]);
    const second = await fetch(`${server.url}/models/a%2Fb`, { method: 'DELETE' });
    expect(await second.json()).toMatchObject({ data: { id: 'job_1' } });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/sync/jobs?page=1',
      'DELETE /v1/models/a%2Fb',
    ]);
    expect(server.left).toBe(0);
  });

  it('refuses a request that the script does not expect', async () => {
    server.play([]);
    expect((await fetch(server.url)).status).toBe(418);
  });

  it('parses a form', async () => {
    server.play([{ data: {} }]);
    const body = new FormData();
    body.set('name', 'Straße');
    body.set('file', new Blob([new Uint8Array([0, 255])]), 'model');
    await fetch(server.url, { method: 'POST', body });
    expect(server.requests[0]?.body).toEqual({ name: 'Straße', file: { base64: 'AP8=' } });
  });

  it.each(['connect', 'request', 'headers'] as const)('resets a connection at %s', async (at) => {
    server.play([{ fault: { at, how: 'reset' } }]);
    await expect(fetch(server.url)).rejects.toThrow();
    expect(server.left).toBe(0);
    expect(await server.lastEnd()).toBe('fault');
  });

  it('closes a connection after the given number of bytes of the body', async () => {
    server.play([{ records: 1000, fault: { at: 'body', after: 70, how: 'close' } }]);
    const received = await rawResponse(server);
    const body = received.slice(received.indexOf('\r\n\r\n') + 4);
    expect(body).toMatch(/^46\r\n\{"id":1,"name":"record 1"\}\n/);
    expect(body).not.toContain('record 4');
    expect(body.endsWith('0\r\n\r\n')).toBe(false);
  });

  it('reports that the client closed the connection before the body was complete', async () => {
    server.play([{ records: 1_000_000_000 }]);
    const response = await fetch(server.url);
    await response.body?.cancel();
    expect(await server.lastEnd()).toBe('closed by the client');
  });
});

async function rawResponse(server: FaultServer): Promise<string> {
  const socket: Socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.write('GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let received = '';
  socket.on('data', (data) => (received += String(data)));
  await once(socket, 'close');
  return received;
}
