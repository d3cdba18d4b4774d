import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener } from 'node:http';

import { ApiError, notFound } from '../errors/api-error.js';
import { asApiError } from '../errors/as-api-error.js';
import { createLimitedServer, type FirstHandler, type ServerLimits } from './create-server.js';
import { MAX_BODY_BYTES, parseJsonBody } from '../pipeline/json-body.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { refusalAnswer } from '../errors/refusal-answer.js';
import { newRequestId } from '../pipeline/caller-request.js';

export interface FastifyOptions extends ServerLimits {
  /** Known once the application is made; requests come later. */
  readonly limiter: () => RateLimiter;
  /** Asked before Fastify. */
  readonly first: FirstHandler;
}

/** Fastify as this API wants it: own request ids, JSON only, forwarding headers of named proxies only, our envelope everywhere. */
export function createFastifyAdapter({ limiter, first, ...limits }: FastifyOptions): FastifyAdapter {
  const { trustedProxies } = limits;
  return new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: (handle: RequestListener) => createLimitedServer(handle, first, limiter, limits),
    clientErrorHandler: () => undefined, // in place of Fastify's own; that server has one
    genReqId: newRequestId, // `requestIdHeader` stays off: a client's id is never taken over
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => modelPath(url),
    // A URL that cannot be decoded ends here, before any hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const known = error.code === 'FST_ERR_BAD_URL' ? notFound() : asApiError(error);
      void refusalAnswer(limiter(), { address: request.ip, requestId: request.id, error: known }).then(
        ({ status, headers, body }) => reply.status(status).headers(headers).send(body),
      );
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

const WITH_SLASH = /^(\/v1\/(?:models|generators)\/[^/?#]+)\/([^/?#]+)(?=$|[?#])/;

/**
 * Ids of models and generators hold a slash, and a segment of a path does not: `/v1/models/en_US/first_names` is served as
 * `/v1/models/en_US%2Ffirst_names`, which is one route and one operation. Other paths stay as they are; what is
 * encoded twice, or is no id, is found nowhere.
 */
export function modelPath(url: string): string {
  return url.replace(WITH_SLASH, '$1%2F$2');
}

/** Aborted when the connection ends before the answer has been handed over whole. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const close = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.closed) close();
  else raw.once('close', close);
  return gone.signal;
}
