import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { addressGuard } from '../../../src/webhooks/receivers/address-guard.js';
import { postWebhook, type Receipt, type Sender } from '../../../src/webhooks/delivery/post-webhook.js';

// Real sockets of this machine; the names and what they lead to are the tests' own.

const LOOPBACK = ['127.0.0.0/8', '::1'];
const never = () => Promise.reject(new Error('nothing is looked up here'));
const sender = (allowed: readonly string[], change: Partial<Sender> = {}): Sender => ({
  resolve: never,
  allows: addressGuard(allowed),
  timeoutMs: 120_000, // where it is not what is tested
  ...change,
});

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  sockets.clear();
});

/** A server of bytes. @param serve is called once the request's head has come */
async function serveBytes(serve: (socket: Socket) => void, host = '127.0.0.1') {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined); // the other side hangs up when it has had enough
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

/** Writes again and again, as fast as it is read, until the other side is gone. @returns bytes written */
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

/** A byte now and then. */
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
  ])('that answers %i', async (statusCode, error) => {
    const answer = `HTTP/1.1 ${statusCode} X\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n`;
    expect(await postTo((socket) => socket.end(answer))).toMatchObject({ statusCode, error });
  });

  it('that says when to come again is heard', async () => {
    const answer = 'HTTP/1.1 503 X\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n';
    expect(await postTo((socket) => socket.end(answer))).toMatchObject({ retryAfter: '120' });
  });

  it('that never answers costs the time-out', async () => {
    const receipt = await postTo(() => undefined, sender(LOOPBACK, { timeoutMs: 200 }));
    expect(receipt).toEqual({ statusCode: null, error: 'timeout' });
  });

  it('that drips its head costs the time-out', async () => {
    const receipt = await postTo(
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX: '),
      sender(LOOPBACK, { timeoutMs: 300 }),
    );
    expect(receipt).toEqual({ statusCode: null, error: 'timeout' });
  });

  it('that drips its body is not waited for', async () => {
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
    'that answers ten gigabytes is cut off (%j)',
    async (head) => {
      let written = (): number => 0;
      let gone: Promise<unknown> = Promise.resolve();
      const receipt = await postTo((socket) => {
        gone = new Promise((resolve) => socket.once('close', resolve)); // by a reset: what was sent is left unread
        socket.write(OK + head);
        written = flood(socket, 'x'.repeat(16_384));
      });
      expect(receipt).toMatchObject({ statusCode: 200, error: null });
      await gone;
      expect(written()).toBeLessThan(16 * 1024 * 1024); // what the kernel's buffers took in
    },
  );

  it.each([
    ['endless headers', (socket: Socket) => void flood(socket, `${OK}X: y\r\n`.repeat(10))],
    ['a head of one endless line', (socket: Socket) => void flood(socket, 'x'.repeat(1_000))],
    [
      'answers before the answer, without end',
      (socket: Socket) => void flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
    ],
    ['what is no HTTP', (socket: Socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
  ])('that answers %s', async (_, serve) => {
    expect(await postTo(serve)).toEqual({ statusCode: null, error: 'invalid_response' });
  });

  it.each([
    ['hangs up', (socket: Socket) => void socket.destroy()],
    ['hangs up in its head', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-')],
  ])('that %s', async (_, serve) => {
    expect(await postTo(serve)).toEqual({ statusCode: null, error: 'connection_failed' });
  });

  it('that is not there', async () => {
    const { port } = await serveBytes(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await post(`http://127.0.0.1:${port}/`, sender(LOOPBACK))).toEqual({
      statusCode: null,
      error: 'connection_failed',
    });
  });

  it('that cannot prove its name', async () => {
    const { port } = await serveBytes((socket) => socket.end('no TLS here'));
    expect(await post(`https://127.0.0.1:${port}/`, sender(LOOPBACK))).toEqual({
      statusCode: null,
      error: 'tls_failed',
    });
  });

  it('whose name is unknown', async () => {
    const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' });
    const receipt = await post(
      'http://hooks.example.com/',
      sender([], { resolve: () => Promise.reject(unknown) }),
    );
    expect(receipt).toEqual({ statusCode: null, error: 'dns_failed' });
  });

  it('whose name server never answers costs the time-out', async () => {
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

  it('is not connected to when a name leads to it, whatever else the name leads to', async () => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    for (const addresses of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '127.0.0.1'], []]) {
      const resolve = () => Promise.resolve(addresses);
      expect(await post(`http://hooks.example.com:${canary.port}/`, sender([], { resolve }))).toEqual(
        REFUSED,
      );
    }
    expect(canary.connections()).toBe(0);
  });

  it('is not connected to when a name that was public at first leads to it later', async () => {
    const canary = await serveBytes((socket) => socket.end(`${OK}\r\n`));
    const here = await serveBytes((socket) => socket.end(`${OK}Content-Length: 0\r\n\r\n`), '127.0.0.2');
    // 127.0.0.2 stands for the public address; what the name says at the second question is never asked for.
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    let asked = 0;
    const resolve = () => Promise.resolve(answers[asked++] ?? []);
    const by = sender(['127.0.0.2'], { resolve });
    expect(await post(`http://hooks.example.com:${here.port}/`, by)).toMatchObject({ statusCode: 200 });
    expect(asked).toBe(1);
    expect(await post(`http://hooks.example.com:${canary.port}/`, by)).toEqual(REFUSED);
    expect([asked, canary.connections()]).toEqual([2, 0]);
  });

  it('is left out of the addresses that a name leads to', async () => {
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
