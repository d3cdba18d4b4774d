import { createServer, type AddressInfo, type Server } from 'node:net';

import { explainDatabase, explainRedis } from './explain-outage.js';

describe('the reason of an outage', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const failure = (code: string) => Object.assign(new Error('secret text of the server'), { code });

  it.each([
    [failure('28P01'), 'the server refused the connection (SQLSTATE 28P01); see its log'],
    [failure('SELF_SIGNED_CERT_IN_CHAIN'), 'set UNDERSTUDY_CA_FILE'],
    [failure('ECONNRESET'), 'the server or a firewall closed the connection'],
    [new Error('The server does not support SSL connections'), 'the server does not use TLS'],
    [new Error('another'), 'the connection failed'],
    [undefined, 'the server accepts connections, but does not respond; check its load and its log'],
    [new Error('timeout exceeded when trying to connect'), 'but does not respond; check its load'],
  ])('of PostgreSQL is found in the error %s if the port accepts connections', async (error, reason) => {
    const sentence = await explainDatabase({ url: `postgresql://u:secret@127.0.0.1:${port}/x` }, error);
    expect(sentence).toContain(`cannot reach 127.0.0.1:${port}: `);
    expect(sentence).toContain(reason);
    expect(sentence).not.toContain('secret');
  });

  it('of PostgreSQL at a Unix socket names no port', async () => {
    const url = 'postgresql://u@localhost/x?host=/var/run/postgresql';
    expect(await explainDatabase({ url }, failure('ENOENT'))).toMatch(
      /^cannot reach PostgreSQL at its Unix socket: the connection failed/,
    );
  });

  it('of Redis with TLS is found by a handshake', async () => {
    expect(await explainRedis({ url: `rediss://:secret@127.0.0.1:${port}` })).toMatch(
      /^cannot reach 127\.0\.0\.1:\d+: the server or a firewall closed the connection$/,
    );
  });
});
