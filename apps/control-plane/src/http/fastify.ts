import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { ulid } from 'ulid';

import { ApiError, nothingHere } from './api-error.js';
import { asApiError } from './as-api-error.js';
import { errorBody } from './error-body.js';
import { MAX_BODY_BYTES, parseJsonBody } from './json-body.js';
import { rateLimitExceeded, rateLimitHeaders, type RateLimiter } from './rate-limiter.js';
import { modelPath } from './model-path.js';

const newRequestId = (): string => `req_${ulid()}`;

export interface FastifyOptions {
  /** Addresses and networks whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies: readonly string[];
  /** Known once the application is made; requests come later. */
  readonly limiter: () => RateLimiter;
}

/** Fastify as this API wants it: own request ids, JSON only, forwarding headers of named proxies only, our envelope everywhere. */
export function createFastifyAdapter({ trustedProxies, limiter }: FastifyOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newRequestId, // `requestIdHeader` stays off: a client's id is never taken over
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => modelPath(url),
    // A URL that cannot be decoded ends here, before any hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const known = error.code === 'FST_ERR_BAD_URL' ? nothingHere() : asApiError(error);
      void refusalTo(limiter(), request.ip, known).then(({ refusal, headers }) => {
        void reply.status(refusal.status).headers({ ...headers, 'x-request-id': request.id });
        void reply.header('content-type', 'application/json; charset=utf-8');
        void reply.send(JSON.stringify(errorBody(refusal, request.id)));
      });
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else void answerUnreadableRequest(limiter(), socket);
    },
  });
}

/** JSON bodies only, where `takeForms` says nothing else. Call before `app.init`. */
export function takeJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Send the body without a content encoding.');
  }
  return body.length > 0 ? parseJsonBody(body) : undefined;
}

/** Requests that no hook sees count like any without a token. */
async function refusalTo(limiter: RateLimiter, address: string, refusal: ApiError) {
  const allowance = await limiter.spendOfAddress(address);
  const headers = rateLimitHeaders(allowance);
  if (allowance.passes) return { refusal, headers };
  return {
    refusal: rateLimitExceeded(allowance),
    headers: { ...headers, 'retry-after': String(allowance.retryAfterSeconds) },
  };
}

async function answerUnreadableRequest(limiter: RateLimiter, socket: Socket): Promise<void> {
  const requestId = newRequestId();
  const unreadable = new ApiError('bad_request', 'The request is not readable HTTP.');
  const { refusal, headers } = await refusalTo(limiter, socket.remoteAddress ?? '', unreadable);
  const body = JSON.stringify(errorBody(refusal, requestId));
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = refusal.status === 429 ? 'Too Many Requests' : 'Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${refusal.status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}
