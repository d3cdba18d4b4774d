import { writeExactJson } from '@understudy/expression';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener } from 'node:http';

import { notFound } from '../errors/api-error.js';
import { asApiError } from '../errors/as-api-error.js';
import { createLimitedServer, type FirstHandler, type ServerLimits } from './create-server.js';
import { MAX_BODY_BYTES, parseJsonBody, refuseEncoding } from '../pipeline/json-body.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { errorResponse } from '../errors/error-response.js';
import { newRequestId } from '../pipeline/caller-request.js';

export interface FastifyOptions extends ServerLimits {
  /** Called for each request, because the limiter exists only after the application is created. */
  readonly limiter: () => RateLimiter;
  /** Handles a request before Fastify. Fastify gets only the requests that `first` does not handle. */
  readonly first: FirstHandler;
}

/**
 * Creates the Fastify adapter of this API. It generates request ids and accepts only JSON. It trusts the
 * forwarding headers of only the proxies in `trustedProxies`, and sends every error in our envelope.
 */
export function createFastifyAdapter({ limiter, first, ...limits }: FastifyOptions): FastifyAdapter {
  const { trustedProxies } = limits;
  return new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle: RequestListener) => createLimitedServer(handle, first, limiter, limits),
    clientErrorHandler: () => undefined, // disables Fastify's own; the server from `serverFactory` has one
    genReqId: newRequestId, // `requestIdHeader` stays off: a client's id is never used
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => modelPath(url),
    // A URL that cannot be decoded fails here, before any hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const known = error.code === 'FST_ERR_BAD_URL' ? notFound() : asApiError(error);
      void errorResponse(limiter(), { address: request.ip, requestId: request.id, error: known }).then(
        ({ status, headers, body }) => reply.status(status).headers(headers).send(body),
      );
    },
  });
}

/**
 * Makes Fastify accept only JSON bodies, and write the digits of all numbers. `takeForms` adds forms, and
 * `takeLargeBodies` large JSON bodies. Call this function before `app.init`.
 */
export function takeJsonOnly(fastify: FastifyInstance): void {
  fastify.setReplySerializer((payload) => writeExactJson(payload));
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
  refuseEncoding(request.headers);
  return body.length > 0 ? parseJsonBody(body) : undefined;
}

const WITH_SLASH =
  /^((?:\/dashboard)?\/v1\/(?:models|generators)\/(?:(?!%2[fF])[^/?#])+)\/([^/?#]+)(?=(?:\/content)?(?:$|[?#]))/;

/**
 * Encodes the slash in ids of models and generators, because a path segment cannot contain a slash.
 * `/v1/models/en_US/first_names` becomes `/v1/models/en_US%2Ffirst_names`, which matches one route. The segment
 * `content` after an id stays. Other paths are not changed.
 */
export function modelPath(url: string): string {
  return url.replace(WITH_SLASH, '$1%2F$2');
}

/**
 * Returns a signal that aborts if the connection closes before the whole response was handed to the operating
 * system.
 */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const close = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.closed) close();
  else raw.once('close', close);
  return gone.signal;
}
