import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ApiError } from '../errors/api-error.js';
import type { ClientAddress } from './client-address.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { errorResponse } from '../errors/error-response.js';
import { newRequestId } from '../pipeline/caller-request.js';

/**
 * Time for which the server reads and discards further input of a refused client. If the connection closed
 * earlier, the client might not receive the response.
 */
const LINGER_MS = 2_000;

/**
 * Handles requests that Node's parser cannot read. The connection gets one response in the envelope, and is
 * closed.
 */
export class UnreadableRequests {
  private readonly refused = new WeakSet<Socket>();

  /**
   * @param limiter called for each request, because the limiter exists only after the application is created
   * @param currentResponse returns the response that is being written on a connection
   * @param addressOf returns the client's address; headers that could not be read are ignored
   * @param commonHeaders headers of every response of the server
   */
  constructor(
    private readonly limiter: () => RateLimiter,
    private readonly currentResponse: (socket: Socket) => ServerResponse | undefined,
    private readonly addressOf: ClientAddress,
    private readonly commonHeaders: Readonly<Record<string, string>>,
  ) {}

  /**
   * Handles the `clientError` event. Responds at most once for each connection, because the parser repeats
   * its error for every further chunk of input.
   */
  readonly refuse = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (this.refused.has(socket)) return;
    this.refused.add(socket);
    // A response inside another response would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || this.currentResponse(socket)?.headersSent)
      socket.destroy();
    else void this.respond(socket, reasonOf(error), this.currentResponse(socket)?.req.headers);
  };

  /**
   * Refuses a CONNECT request. Without a listener for `connect`, Node closes the connection without a
   * response.
   */
  readonly refuseTunnel = ({ headers }: IncomingMessage, socket: Socket): void => {
    void this.respond(socket, new ApiError('bad_request', 'This server is not a proxy.'), headers);
  };

  private async respond(socket: Socket, error: ApiError, received: IncomingHttpHeaders = {}): Promise<void> {
    socket.on('error', () => socket.destroy());
    const address = this.addressOf(socket, received);
    const response = await errorResponse(this.limiter(), { address, requestId: newRequestId(), error });
    if (!socket.writable) return void socket.destroy();
    const headers = { ...this.commonHeaders, ...response.headers, connection: 'close' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const reason = STATUS_CODES[response.status] ?? '';
    socket.end(`HTTP/1.1 ${response.status} ${reason}\r\n${lines.join('')}\r\n${response.body}`);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.resume().once('close', () => clearTimeout(timer));
  }
}

function reasonOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The complete request did not arrive in time.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', 'The request line and headers together are larger than 16 KiB.');
  return new ApiError('bad_request', 'The request is not readable HTTP.');
}
