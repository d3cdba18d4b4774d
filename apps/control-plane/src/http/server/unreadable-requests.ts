import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ApiError } from '../errors/api-error.js';
import type { ClientAddress } from './client-address.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { refusalAnswer } from '../errors/refusal-answer.js';
import { newRequestId } from '../pipeline/caller-request.js';

/** How long what a refused client still sends is thrown away, so that it comes to read the answer. */
const LINGER_MS = 2_000;

/** What Node's parser gives up on. A connection gets one answer in the envelope, and is closed. */
export class UnreadableRequests {
  private readonly refused = new WeakSet<Socket>();

  /**
   * @param limiter known once the application is made; requests come later
   * @param answering the answer that a connection is in the middle of
   * @param addressOf the client's address; headers that could not be read are left out
   */
  constructor(
    private readonly limiter: () => RateLimiter,
    private readonly answering: (socket: Socket) => ServerResponse | undefined,
    private readonly addressOf: ClientAddress,
  ) {}

  /** For `clientError`; the parser repeats its error for every further piece that comes in. */
  readonly refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (this.refused.has(socket)) return;
    this.refused.add(socket);
    // An answer inside of another one would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || this.answering(socket)?.headersSent)
      socket.destroy();
    else void this.answer(socket, reasonOf(error), this.answering(socket)?.req.headers);
  };

  /** For `connect`: without a listener Node closes such a connection in silence. */
  readonly refuseTunnel = ({ headers }: IncomingMessage, socket: Socket): void => {
    void this.answer(socket, new ApiError('bad_request', 'This server is not a proxy.'), headers);
  };

  private async answer(socket: Socket, error: ApiError, headers: IncomingHttpHeaders = {}): Promise<void> {
    socket.on('error', () => socket.destroy());
    const address = this.addressOf(socket, headers);
    const answer = await refusalAnswer(this.limiter(), { address, requestId: newRequestId(), error });
    if (!socket.writable) return void socket.destroy();
    const lines = Object.entries({ ...answer.headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const reason = STATUS_CODES[answer.status] ?? '';
    socket.end(`HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join('')}\r\n${answer.body}`);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.resume().once('close', () => clearTimeout(timer));
  }
}

function reasonOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request did not arrive whole in time.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', 'The request line and headers are larger than 16 KiB together.');
  return new ApiError('bad_request', 'The request is not readable HTTP.');
}
