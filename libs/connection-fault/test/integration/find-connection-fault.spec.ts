import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createHttpsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';

import { Outbound, type OutboundSettings, readOutboundSettings } from '@understudy/outbound';
import {
  TestAuthority,
  type TestCertificate,
  TestNats,
  TestProxy,
  type TestProxyOptions,
} from '@understudy/testing';

import { findConnectionFault, probeServer } from '../../src/index.js';

const INFO = { server_id: 'S', version: '2.9.10', max_payload: 1_048_576 };

let authority: TestAuthority;
const servers: Server[] = [];
let folder: string;
let trusting: OutboundSettings;
beforeAll(async () => {
  authority = await TestAuthority.create('Acme root');
  folder = mkdtempSync(join(tmpdir(), 'connection-fault-'));
  trusting = { caFile: join(folder, 'ca.pem') };
  writeFileSync(join(folder, 'ca.pem'), authority.ca);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

describe('a TLS server', () => {
  it('has no fault if its certificate is trusted and fits', async () => {
    const port = await tlsServer(await authority.issue(['localhost', '127.0.0.1']));
    for (const host of ['localhost', '127.0.0.1'])
      await expect(probe(`https://${host}:${port}`)).resolves.toBeUndefined();
  });

  it('has a fault that names the issuer if the authority is unknown', async () => {
    const port = await tlsServer(await authority.issue(['localhost']));
    await expect(findConnectionFault(new Outbound(), `https://localhost:${port}`)).resolves.toEqual({
      cause: 'untrusted',
      message:
        'the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE, issuer "Acme root"); set UNDERSTUDY_CA_FILE to a file with the certificate of its issuer',
    });
  });

  it('has a fault that lists the names of the certificate if the host is not one of them', async () => {
    const port = await tlsServer(await authority.issue(['nats.example.com', '10.0.0.1']));
    await expect(probe(`https://localhost:${port}`)).resolves.toEqual({
      cause: 'wrong_name',
      message:
        'the certificate is not for localhost, but for nats.example.com, 10.0.0.1; use one of its names',
    });
  });

  it.each([
    ['expired', { fromDays: -3, toDays: -2 }, /^the certificate has expired \(\w{3} .* GMT\); renew it/],
    [
      'not_yet_valid',
      { fromDays: 2, toDays: 3 },
      /^the certificate is not valid before \w{3} .* GMT; correct the clock/,
    ],
  ] as const)('has the fault %s if its certificate is not valid now', async (cause, days, message) => {
    const port = await tlsServer(await authority.issue(['localhost'], days));
    await expect(probe(`https://localhost:${port}`)).resolves.toEqual({
      cause,
      message: expect.stringMatching(message),
    });
  });

  it('cannot put control characters or long texts into a fault', async () => {
    const hostile = await TestAuthority.create(`evil\u001b[2J${'x'.repeat(300)}`);
    const port = await tlsServer(await hostile.issue(['localhost']));
    const fault = await probe(`https://localhost:${port}`);
    expect(fault?.cause).toBe('untrusted');
    expect(fault?.message).toMatch(/issuer "evil\?\[2Jx{91}…"/);
  });
});

describe('a web server', () => {
  it.each([
    [
      'expired',
      { fromDays: -3, toDays: -2 },
      3_600_000,
      / the clock of this machine: it is about 3600 s behind the server's$/,
    ],
    ['not_yet_valid', { fromDays: 2, toDays: 3 }, -7_200_000, /: it is about 7200 s ahead of the server's$/],
    ['expired', { fromDays: -3, toDays: -2 }, 0, /correct the clock of this machine$/],
  ] as const)(
    'has the fault %s that names the difference of the clocks',
    async (cause, days, aheadMs, message) => {
      const server = createHttpsServer(await authority.issue(['localhost'], days), (_, response) => {
        response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString()).end();
      });
      const port = await listen(server);
      await expect(probe(`https://localhost:${port}`)).resolves.toEqual({
        cause,
        message: expect.stringMatching(message),
      });
    },
  );

  it('has a fault that names its status if it does not pass WebSocket requests on', async () => {
    const server = createHttpsServer(await authority.issue(['localhost']), (_, response) => {
      response.writeHead(404).end();
    });
    const port = await listen(server);
    await expect(probe(`wss://localhost:${port}/nats`)).resolves.toEqual({
      cause: 'no_websocket',
      message:
        'the server answered the WebSocket request with status 404; check the path of the URL, and that the web server passes it on to NATS',
    });
  });
});

describe('a real NATS server', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await TestNats.start({ certificate: await authority.issue(['localhost']) });
  });
  afterAll(() => nats.remove());

  it.each([
    ['TLS', () => `tls://localhost:${nats.port}`, () => nats.port],
    ['WebSocket', () => `wss://localhost:${nats.webSocketPort}/nats`, () => nats.webSocketPort],
  ])('is reached over %s, and the probe returns its facts', async (_, url, port) => {
    await expect(probeServer(new Outbound(trusting), url())).resolves.toEqual({
      host: 'localhost',
      port: port(),
      addresses: expect.arrayContaining(['127.0.0.1']),
      connected: true,
      tls: {
        protocol: 'TLSv1.3',
        issuer: 'Acme root',
        names: 'localhost',
        validFrom: expect.any(Date),
        validUntil: expect.any(Date),
      },
    });
  });

  it('has the fault wrong_name at a nats:// address if it demands TLS for another name', async () => {
    await expect(probe(`nats://127.0.0.1:${nats.port}`)).resolves.toMatchObject({ cause: 'wrong_name' });
  });
});

describe('a server behind a proxy', () => {
  const proxies: TestProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });

  async function through(url: string, options: TestProxyOptions, credentials = ''): Promise<unknown> {
    const proxy = await TestProxy.start(options);
    proxies.push(proxy);
    const protocol = options.certificate === undefined ? 'http' : 'https';
    const settings = readOutboundSettings(
      { HTTPS_PROXY: `${protocol}://${credentials}localhost:${proxy.port}` },
      [],
    );
    const probed = await probeServer(new Outbound({ ...settings, ...trusting }), url);
    expect(probed).toMatchObject({ proxy: `localhost:${proxy.port}`, addresses: [] });
    return probed.fault;
  }

  it('is reached by a name that only the proxy can resolve', async () => {
    const port = await tlsServer(await authority.issue(['control.test']));
    await expect(through(`https://control.test:${port}`, {})).resolves.toBeUndefined();
  });

  it('is reached through a proxy with TLS', async () => {
    const port = await tlsServer(await authority.issue(['control.test']));
    const certificate = await authority.issue(['localhost']);
    await expect(through(`https://control.test:${port}`, { certificate })).resolves.toBeUndefined();
  });

  it('has the fault of its certificate', async () => {
    const port = await tlsServer(await authority.issue(['other.test']));
    await expect(through(`https://control.test:${port}`, {})).resolves.toMatchObject({ cause: 'wrong_name' });
  });

  it.each([
    [{ status: 403 }, '', 'proxy_refused', 'refused to connect to the server (status 403); allow'],
    [{ status: 502 }, '', 'proxy_refused', 'refused to connect to the server (status 502); allow'],
    [{ credentials: 'us:secret' }, '', 'proxy_credentials', 'requires credentials (status 407); set them'],
    [{ credentials: 'us:secret' }, 'us:wrong@', 'proxy_credentials', 'refused the credentials (status 407)'],
  ])(
    'has a fault if the proxy (%j) does not connect to it with %j',
    async (options, credentials, cause, text) => {
      const fault = await through('wss://control.test/nats', options, credentials);
      expect(fault).toEqual({
        cause,
        message: expect.stringMatching(/^the proxy localhost:\d+ /),
      });
      expect(JSON.stringify(fault)).toContain(text);
      expect(JSON.stringify(fault)).not.toMatch(/secret|wrong/);
    },
  );

  it('has the fault proxy_unreachable if nothing listens at the address of the proxy', async () => {
    const proxy = await TestProxy.start();
    const { port } = proxy;
    await proxy.stop();
    const settings = readOutboundSettings({ HTTPS_PROXY: `http://localhost:${port}` }, []);
    await expect(findConnectionFault(new Outbound(settings), 'https://control.test')).resolves.toEqual({
      cause: 'proxy_unreachable',
      message: `the proxy localhost:${port} cannot be reached: the connection was refused; check the port, and that the server runs; check HTTPS_PROXY`,
    });
  });

  it('has the fault no_tls of the proxy if the proxy of an https:// address does not use TLS', async () => {
    const proxy = await TestProxy.start();
    proxies.push(proxy);
    const settings = readOutboundSettings({ HTTPS_PROXY: `https://localhost:${proxy.port}` }, []);
    await expect(findConnectionFault(new Outbound(settings), 'https://control.test')).resolves.toMatchObject({
      cause: 'proxy_unreachable',
      message: expect.stringContaining('does not use TLS on this port'),
    });
  });
});

describe('a NATS server', () => {
  it('has no fault if it offers TLS after its first line and has a trusted certificate', async () => {
    const port = await natsServer({ ...INFO, tls_required: true }, await authority.issue(['localhost']));
    await expect(probe(`tls://localhost:${port}`)).resolves.toBeUndefined();
  });

  it('has no fault at a nats:// address without TLS', async () => {
    const port = await natsServer(INFO);
    await expect(probe(`nats://127.0.0.1:${port}`)).resolves.toBeUndefined();
  });

  it('has a fault at a tls:// address if it offers no TLS', async () => {
    const port = await natsServer(INFO);
    await expect(probe(`tls://127.0.0.1:${port}`)).resolves.toMatchObject({ cause: 'no_tls' });
  });

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n', 'not_nats'],
    ['a line that is not JSON', 'INFO {"tls_required": tru\r\n', 'not_nats'],
    ['a line without an end', 'INFO '.padEnd(70_000, 'x'), 'not_nats'],
    ['nothing before it closes the connection', '', 'closed'],
  ])('is not recognised if it sends %s', async (_, text, cause) => {
    const port = await listen(createServer((socket) => socket.resume().on('error', ignore).end(text)));
    await expect(probe(`tls://127.0.0.1:${port}`)).resolves.toMatchObject({ cause });
  });
});

describe('a server that cannot be reached', () => {
  it('has the fault refused if nothing listens on its port', async () => {
    const server = createServer();
    const port = await listen(server);
    servers.pop();
    server.close();
    await once(server, 'close');
    await expect(probe(`https://127.0.0.1:${port}`)).resolves.toMatchObject({ cause: 'refused' });
  });

  it('has the fault name_not_found if its name cannot be resolved', async () => {
    await expect(probe(`https://${'x'.repeat(64)}.test`)).resolves.toMatchObject({ cause: 'name_not_found' });
  });

  it.each(['https', 'tls'])(
    'has the fault silent if it accepts connections and sends nothing (%s)',
    async (protocol) => {
      const port = await listen(createServer((socket) => socket.resume().on('error', ignore)));
      await expect(
        findConnectionFault(new Outbound(), `${protocol}://127.0.0.1:${port}`, { timeoutMs: 100 }),
      ).resolves.toMatchObject({
        cause: 'silent',
      });
    },
  );

  it('has the fault no_tls if it answers a TLS handshake in plain text', async () => {
    const port = await listen(
      createServer((socket) =>
        socket
          .resume()
          .on('error', ignore)
          .once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      ),
    );
    await expect(probe(`https://127.0.0.1:${port}`)).resolves.toMatchObject({ cause: 'no_tls' });
  });
});

function probe(url: string) {
  return findConnectionFault(new Outbound(trusting), url);
}

function tlsServer(certificate: TestCertificate): Promise<number> {
  return listen(
    createTlsServer(certificate, (socket) => socket.resume().on('error', ignore)).on(
      'tlsClientError',
      ignore,
    ),
  );
}

/** Starts a server that sends a NATS server's first line. If `certificate` is set, it then switches to TLS. */
function natsServer(info: object, certificate?: TestCertificate): Promise<number> {
  return listen(
    createServer((socket: Socket) => {
      socket.on('error', ignore).write(`INFO ${JSON.stringify(info)} \r\n`);
      if (certificate !== undefined)
        new TLSSocket(socket, { isServer: true, ...certificate }).on('error', ignore);
    }),
  );
}

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ignores the errors that arise because the client closes its connections without a TLS alert. */
function ignore(): void {}
