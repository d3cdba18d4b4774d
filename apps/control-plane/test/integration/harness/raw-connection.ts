import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawOptions {
  /** Closes the sending side after everything is sent. */
  readonly halfClose?: boolean;
  /** The connection is closed after this number of responses. */
  readonly responses?: number;
  /**
   * Continues to send after `responses` responses, until all parts are sent or the server closes the
   * connection.
   */
  readonly insists?: boolean;
}

/**
 * Sends raw bytes, which need not be valid HTTP. Waits while the socket's buffer is full. Stops sending when
 * the server closes the connection. Without `insists`, also stops after `responses` responses.
 * @returns the responses that arrived before the connection was closed
 */
export async function sendRaw(
  url: string,
  parts: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  { halfClose = false, responses: wanted = 1, insists = false }: RawOptions = {},
): Promise<RawResponse[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  const over = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (readResponses(received).length >= wanted) resolve();
    });
    socket.on('close', () => resolve()).on('end', () => resolve());
    // A server may close the connection while the test is still sending. Earlier responses count.
    socket.on('error', () => resolve());
  });
  let isOver = false;
  void (insists ? once(socket, 'close') : over).then(() => (isOver = true));
  for await (const part of parts) {
    if (isOver) break;
    // Yields to the event loop. Otherwise many small parts would delay reading the response until the server closes the
    // connection.
    if (socket.write(part)) await eventLoopTurn();
    else await leftOrClosed(socket);
  }
  if (halfClose) socket.end();
  await over;
  socket.destroy();
  return readResponses(received);
}

function leftOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const done = (): void => {
      socket.off('drain', done).off('close', done).off('data', done);
      resolve();
    };
    socket.on('drain', done).on('close', done).on('data', done);
  });
}

function readResponses(received: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let at = 0; ;) {
    const end = received.indexOf('\r\n\r\n', at);
    if (end < 0) return responses;
    const [statusLine = '', ...lines] = received.toString('latin1', at, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1).join('').toLowerCase(), line.replace(/^[^:]*: */, '')]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const bodyAt = end + 4;
    at = bodyAt + Number(headers['content-length'] ?? 0);
    if (at > received.length) return responses;
    if (status !== 100) responses.push({ status, headers, body: received.toString('utf8', bodyAt, at) });
  }
}
