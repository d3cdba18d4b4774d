import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { addressGuard } from '../../../src/webhooks/receivers/address-guard.js';
import { postWebhook, type Receipt, type Sender } from '../../../src/webhooks/delivery/post-webhook.js';

// Uses real sockets of this machine. The tests define the host names and their addresses.

const LOOPBACK = ['127.0.0.0/8', '::1'];
const never = () => Promise.reject(new Error('expected no name resolution'));
const sender = (allowed: readonly string[], change: Partial<Sender> = {}): Sender => ({
  resolve: never,
  allows: addressGuard(allowed),
  timeoutMs: 120_000, // for tests of other limits
  ...change,
});

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  sockets.clear();
});

/**
 * Starts a server that sends raw bytes.
 * @param serve is called after the server has received the head of a request
 */
async function serveBytes(serve: (socket: Socket) => void, host = '127.0.0.1') {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined); // the client closes the connection early
    socket.once('data', () => serve(socket));
  });
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections };
}

const post = (url: string, by: Sender): Promise<Receipt> =>
  postWebhook({ url, headers: {}, body: '{"a":1}' }, by);
const postTo = async (serve: (socket: Socket) => void, by = sender(LOOPBACK)): Promise<Receipt> =>
  post(`http://127.0.0.1:${(await serveBytes(serve)).port}/`, by);
const OK = 'HTTP/1.1 200 OK\r\n';

/**
 * Writes a chunk repeatedly until the other side closes the connection.
 * @returns a function that returns the number of bytes written
 */
function flood(socket: Socket, chunk: string): () => number {
  let written = 0;
  const more = (): void => {
    while (!socket.destroyed) {
      written += chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
  return () => written;
}

/** Writes one byte at a time with pauses. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(text.charAt(at++ % text.length));
  }, 20);
}

describe('a receiver', () => {
  it.each([
    [200, null],
    [201, null],
    [299, null],
    [301, 'http_status'],
    [307, 'http_status'],
    [400, 'http_status'],
    [410, 'http_status'],
    [500, 'http_status'],
    [599, 'http_status'],
  ])('is reported with its status and error if it responds with %i', async (statusCode, error) => {
    const answer = `HTTP/1.1 ${statusCode} X\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n`;
    expect(await postTo((socket) => socket.end(answer))).toMatchObject({ statusCode, error });
  });

  it('can set the time of the next attempt with Retry-After', async () => {
    const answer = 'HTTP/1.1 503 X\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n';
    expect(await postTo((socket) => socket.end(answer))).toMatchObject({ retryAfter: '120' });
  });

  it('causes a timeout if it never responds', async () => {
    const receipt = await postTo(() => undefined, sender(LOOPBACK, { timeoutMs: 200 }));
    expect(receipt).toEqual({ statusCode: null, error: 'timeout' });
  });

  it('causes a timeout if it sends its head too slowly', async () => {
    const receipt = await postTo(
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX: '),
      sender(LOOPBACK, { timeoutMs: 300 }),
    );
    expect(receipt).toEqual({ statusCode: null, error: 'timeout' });
  });

  it('succeeds after its head even if it sends its body slowly', async () => {
    const receipt = await postTo(
      (socket) => {
        socket.write(`${OK}Content-Length: 1000000\r\n\r\n`);
        drip(socket, 'x');
      },
      sender(LOOPBACK, { timeoutMs: 60_000 }),
    );
    expect(receipt).toMatchObject({ statusCode: 200, error: null });
  });

  it.each(['Content-Length: 10737418240\r\n\r\n', 'Content-Encoding: gzip\r\n\r\n', '\r\n'])(
    'is disconnected during a response of ten gigabytes (%j)',
    async (head) => {
      let written = (): number => 0;
      let gone: Promise<unknown> = Promise.resolve();
      const receipt = await postTo((socket) => {
        gone = new Promise((resolve) => socket.once('close', resolve)); // the client resets the connection, because unread data is left
        socket.write(OK + head);
        written = flood(socket, 'x'.repeat(16_384));
      });
      expect(receipt).toMatchObject({ statusCode: 200, error: null });
      await gone;
      expect(written()).toBeLessThan(16 * 1024 * 1024); // the size of the kernel's buffers
    },
  );

  it.each([
    ['endless headers', (socket: Socket) => void flood(socket, `${OK}X: y\r\n`.repeat(10))],
    ['a head of one endless line', (socket: Socket) => void flood(socket, 'x'.repeat(1_000))],
    [
      'an endless series of interim responses',
      (socket: Socket) => void flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
    ],
    ['a response that is not HTTP', (socket: Socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
  ])('causes invalid_response if it sends %s', async (_, serve) => {
    expect(await postTo(serve)).toEqual({ statusCode: null, error: 'invalid_response' });
  });

  it.each([
    ['closes the connection', (socket: Socket) => void socket.destroy()],
    [
      'closes the connection within its head',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-'),
    ],
  ])('causes connection_failed if it %s', async (_, serve) => {
    expect(await postTo(serve)).toEqual({ statusCode: null, error: 'connection_failed' });
  });

  it('causes connection_failed if it does not listen', async () => {
    const { port } = await serveBytes(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await post(`http://127.0.0.1:${port}/`, sender(LOOPBACK))).toEqual({
      statusCode: null,
      error: 'connection_failed',
    });
  });

  it('causes an error if its certificate does not match its name', async () => {
    const { port } = await serveBytes((socket) => socket.end('no TLS here'));
    expect(await post(`https://127.0.0.1:${port}/`, sender(LOOPBACK))).toEqual({
      statusCode: null,
      error: 'tls_failed',
    });
  });

  it('causes an error if its name is unknown', async () => {
    const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' });
    const receipt = await post(
      'http://hooks.example.com/',
      sender([], { resolve: () => Promise.reject(unknown) }),
    );
    expect(receipt).toEqual({ statusCode: null, error: 'dns_failed' });
  });

  it('causes a timeout if its name server never responds', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const receipt = await post('http://hooks.example.com/', sender([], { resolve, timeoutMs: 200 }));
    expect(receipt).toEqual({ statusCode: null, error: 'timeout' });
  });
});

describe('an address of this machine', () => {
  const REFUSED = { statusCode: null, error: 'address_refused' };

  it.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
      '%31%32%37.0.0.1',
    ],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      'localhost',
      'LOCALHOST.',
      'x.localhost',
      '0.0.0.0',
      '0',
      'user:pw@127.0.0.1',
    ],
  ])('is not connected to, written as %s', async (host) => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    expect(await post(`http://${host}:${canary.port}/`, sender([]))).toEqual(REFUSED);
    expect(canary.connections()).toBe(0);
  });

  it('is not connected to if a name resolves to it, even together with other addresses', async () => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    for (const addresses of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '127.0.0.1'], []]) {
      const resolve = () => Promise.resolve(addresses);
      expect(await post(`http://hooks.example.com:${canary.port}/`, sender([], { resolve }))).toEqual(
        REFUSED,
      );
    }
    expect(canary.connections()).toBe(0);
  });

  it('is not connected to if a name resolves to it only at a later request', async () => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    const here = await serveBytes((socket) => socket.end(`${OK}Content-Length: 0\r\n\r\n`), '127.0.0.2');
    // 127.0.0.2 represents a public address. A third resolution would return no address.
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    let asked = 0;
    const resolve = () => Promise.resolve(answers[asked++] ?? []);
    const by = sender(['127.0.0.2'], { resolve });
    expect(await post(`http://hooks.example.com:${here.port}/`, by)).toMatchObject({ statusCode: 200 });
    expect(asked).toBe(1);
    expect(await post(`http://hooks.example.com:${canary.port}/`, by)).toEqual(REFUSED);
    expect([asked, canary.connections()]).toEqual([2, 0]);
  });

  it('is skipped if a name resolves to several addresses', async () => {
    const here = await serveBytes((socket) => socket.end(`${OK}Content-Length: 0\r\n\r\n`), '127.0.0.2');
    const resolve = () => Promise.resolve(['127.0.0.1', '127.0.0.2']);
    const receipt = await post(`http://hooks.example.com:${here.port}/`, sender(['127.0.0.2'], { resolve }));
    expect(receipt).toMatchObject({ statusCode: 200, error: null });
  });

  it('is not connected to after a redirect', async () => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    const location = `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${canary.port}/\r\nContent-Length: 0\r\n\r\n`;
    const here = await serveBytes((socket) => socket.end(location), '127.0.0.2');
    const receipt = await post(`http://127.0.0.2:${here.port}/`, sender(['127.0.0.2']));
    expect([receipt, canary.connections()]).toMatchObject([{ statusCode: 302, error: 'http_status' }, 0]);
  });
});
