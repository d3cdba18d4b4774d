import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawOptions {
  /** Ends our side once everything is sent. */
  readonly halfClose?: boolean;
  /** The connection is dropped as soon as there are this many. */
  readonly answers?: number;
  /** Goes on sending after them, to the end of the parts or of the connection. */
  readonly insists?: boolean;
}

/**
 * Sends bytes that no HTTP client would. A part is sent when the one before has left; what the server does not want any more
 * is not sent.
 * @returns the answers until the server closes, or as many as were asked for
 */
export async function sendRaw(
  url: string,
  parts: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  { halfClose = false, answers: wanted = 1, insists = false }: RawOptions = {},
): Promise<RawAnswer[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  const over = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (readAnswers(received).length >= wanted) resolve();
    });
    socket.on('close', () => resolve()).on('end', () => resolve());
    // A server may close while we are still sending; what it answered before counts.
    socket.on('error', () => resolve());
  });
  let isOver = false;
  void (insists ? once(socket, 'close') : over).then(() => (isOver = true));
  for await (const part of parts) {
    if (isOver) break;
    // Without a turn of the event loop, many small parts would keep this side from reading the answer before the server closes.
    if (socket.write(part)) await eventLoopTurn();
    else await leftOrClosed(socket);
  }
  if (halfClose) socket.end();
  await over;
  socket.destroy();
  return readAnswers(received);
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

function readAnswers(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ;) {
    const end = received.indexOf('\r\n\r\n', at);
    if (end < 0) return answers;
    const [statusLine = '', ...lines] = received.toString('latin1', at, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1).join('').toLowerCase(), line.replace(/^[^:]*: */, '')]),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const bodyAt = end + 4;
    at = bodyAt + Number(headers['content-length'] ?? 0);
    if (at > received.length) return answers;
    if (status !== 100) answers.push({ status, headers, body: received.toString('utf8', bodyAt, at) });
  }
}
