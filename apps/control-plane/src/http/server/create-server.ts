import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

import { clientAddressBehind } from './client-address.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { PipelinedRequests } from './pipelined-requests.js';
import { UnreadableRequests } from './unreadable-requests.js';

export interface ServerLimits {
  /** Until a request has arrived whole, its body included. */
  readonly requestTimeoutMs: number;
  /** Open at one time; Node closes further ones unanswered. */
  readonly maxConnections: number;
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

/** Answers a request by itself, or returns false and has touched neither. */
export type FirstHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Headers have less time than bodies. */
const HEADERS_WITHIN_MS = 30_000;
const CHECK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * Node's server with every bound that a hostile client meets before there is a request.
 * @param first asked before `handle`, which gets what it does not answer
 */
export function createLimitedServer(
  handle: RequestListener,
  first: FirstHandler,
  limiter: () => RateLimiter,
  { requestTimeoutMs, maxConnections, trustedProxies }: ServerLimits,
): Server {
  const pipelined = new PipelinedRequests((request, response) => {
    if (!first(request, response)) handle(request, response);
  });
  const unreadable = new UnreadableRequests(
    limiter,
    pipelined.answering,
    clientAddressBehind(trustedProxies),
  );
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(HEADERS_WITHIN_MS, requestTimeoutMs),
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false, // Node's own refusal has no body; `checkHeaders` refuses
    },
    pipelined.take,
  );
  server.maxConnections = maxConnections;
  server.maxHeadersCount = 0; // Node would drop those beyond in silence; `checkHeaders` refuses
  server.on('clientError', unreadable.refuse);
  server.on('connect', unreadable.refuseTunnel);
  // Expectations other than 100-continue are ignored, as RFC 9110 (10.1.1) allows; Node's own 417 has no body.
  server.on('checkExpectation', pipelined.take);
  return server;
}
