import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';

import { TestAuthority, type TestCertificate } from '@understudy/testing';

import { findConnectionFault } from '../../src/index.js';

const INFO = { server_id: 'S', version: '2.9.10', max_payload: 1_048_576 };

let authority: TestAuthority;
const servers: Server[] = [];
beforeAll(async () => {
  authority = await TestAuthority.create('Acme root');
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

describe('a TLS server', () => {
  it.each(['https', 'wss'])('has no fault if its certificate is trusted and fits (%s)', async (protocol) => {
    const port = await tlsServer(await authority.issue(['localhost', '127.0.0.1']));
    for (const host of ['localhost', '127.0.0.1'])
      await expect(probe(`${protocol}://${host}:${port}`)).resolves.toBeUndefined();
  });

  it('has a fault that names the issuer if the authority is unknown', async () => {
    const port = await tlsServer(await authority.issue(['localhost']));
    await expect(findConnectionFault(`https://localhost:${port}`)).resolves.toEqual({
      cause: 'untrusted',
      message:
        'the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE, issuer "Acme root"); set NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer',
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
    'has the fault timed_out if it accepts connections and stays silent (%s)',
    async (protocol) => {
      const port = await listen(createServer((socket) => socket.resume().on('error', ignore)));
      await expect(
        findConnectionFault(`${protocol}://127.0.0.1:${port}`, { timeoutMs: 100 }),
      ).resolves.toMatchObject({
        cause: 'timed_out',
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
  return findConnectionFault(url, { ca: authority.ca });
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
