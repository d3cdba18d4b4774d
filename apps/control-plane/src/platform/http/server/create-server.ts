import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { readCertificatePair, type ServerCertificate } from '../../config/certificate-files.js';
import { clientAddressBehind } from './client-address.js';
import { followCertificate, MIN_TLS_VERSION } from './follow-certificate.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { limitConnections, type ConnectionLimits } from './limit-connections.js';
import { PipelinedRequests } from './pipelined-requests.js';
import { UnreadableRequests } from './unreadable-requests.js';

export interface ServerLimits extends ConnectionLimits {
  /** The time within which a whole request, including its body, must arrive. */
  readonly requestTimeoutMs: number;
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** The certificate for HTTPS. If absent, the server uses plain HTTP. */
  readonly certificate?: ServerCertificate;
}

/**
 * Handles some requests before any other handler, and returns true for them. Returns false for any other
 * request, without using the response.
 */
export type FirstHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The time limit for headers, which is shorter than the limit for whole requests. */
const HEADERS_WITHIN_MS = 30_000;
const CHECK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * Creates Node's HTTP or HTTPS server with all limits that apply before a request is complete.
 * @param handle receives the requests that `first` does not handle
 */
export function createLimitedServer(
  handle: RequestListener,
  first: FirstHandler,
  limiter: () => RateLimiter,
  { requestTimeoutMs, publicUrl, certificate, ...connections }: ServerLimits,
): Server {
  const headers = commonHeaders(publicUrl);
  const pipelined = new PipelinedRequests(
    (request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (!first(request, response)) handle(request, response);
    },
    () => !server.listening,
  );
  const unreadable = new UnreadableRequests(
    limiter,
    pipelined.currentResponse,
    clientAddressBehind(connections.trustedProxies),
    headers,
  );
  const options = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_WITHIN_MS, requestTimeoutMs),
    connectionsCheckingInterval: CHECK_EVERY_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false, // Node's own error response has no body; `checkHeaders` sends one
  };
  const server = certificate
    ? createHttpsServer(options, certificate, pipelined.take)
    : createServer(options, pipelined.take);
  limitConnections(server, connections);
  server.maxHeadersCount = 0; // Node would drop further headers silently; `checkHeaders` refuses the request
  server.on('clientError', unreadable.refuse);
  server.on('connect', unreadable.refuseTunnel);
  // An `Expect` header other than 100-continue is ignored, as RFC 9110 (10.1.1) allows. Node's own 417
  // response has no body.
  server.on('checkExpectation', pipelined.take);
  return server;
}

/** Returns the headers of every response. Browsers then use only HTTPS if the public URL is `https://`. */
function commonHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** @throws CertificateError */
function createHttpsServer(
  options: ServerOptions,
  certificate: ServerCertificate,
  handle: RequestListener,
): Server {
  const pair = readCertificatePair(certificate);
  const server = createTlsServer(
    {
      ...options,
      cert: pair.cert,
      key: pair.key,
      minVersion: MIN_TLS_VERSION,
      handshakeTimeout: HEADERS_WITHIN_MS,
    },
    handle,
  );
  // Node treats a failed handshake as an unreadable request. The client could not read a response to it.
  server.prependListener('tlsClientError', (_, socket) => socket.destroy());
  followCertificate(server, certificate, pair);
  return server;
}
