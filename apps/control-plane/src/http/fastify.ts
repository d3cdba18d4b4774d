import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { ulid } from 'ulid';

import { ApiError } from './api-error.js';
import { asApiError } from './as-api-error.js';
import type { Authenticator } from './authenticator.js';
import { roleIncludes } from './caller.js';
import { DEFAULT_ACCESS, type Access } from './decorators/access.js';
import { errorBody } from './error-body.js';
import { MAX_BODY_BYTES, parseJsonBody } from './json-body.js';
import { setCaller } from './request-state.js';
import { RouteTable } from './route-table.js';

const newRequestId = (): string => `req_${ulid()}`;

/** Fastify as this API wants it: own request ids, JSON only, no trust in forwarding headers, our envelope everywhere. */
export function createFastifyAdapter(): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newRequestId, // `requestIdHeader` stays off: a client's id is never taken over
    trustProxy: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    // A URL that cannot be decoded ends here, before any hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const known = error.code === 'FST_ERR_BAD_URL' ? notFound() : asApiError(error);
      void reply.status(known.status).header('content-type', 'application/json; charset=utf-8');
      void reply.send(JSON.stringify(errorBody(known, request.id)));
    },
    clientErrorHandler: answerUnreadableRequest,
  });
}

export interface FastifyEdge {
  readonly authenticator: Authenticator;
  readonly routes: RouteTable;
  /** Told of every request after its answer has left. */
  readonly answered: (request: { method: string; route: string; status: number; seconds: number }) => void;
}

/** Adds what must be known before a body is read: routes, who asks, whether they may. Call before `app.init`. */
export function configureFastify(
  app: NestFastifyApplication,
  { authenticator, routes, answered }: FastifyEdge,
): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addHook('onRoute', ({ method, url }) => routes.add([method].flat(), url));
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    answered({ method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    done();
  });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    await admit(request, authenticator);
    if (!request.is404) return;
    const methods = routes.methodsOf(pathOf(request));
    if (methods.length === 0) throw notFound();
    void reply.header('allow', methods.join(', '));
    throw new ApiError('method_not_allowed', `This path takes ${methods.join(', ')}.`);
  });
}

/** 401 and 403 come before everything else under /v1, unknown paths included. */
async function admit(request: FastifyRequest, authenticator: Authenticator): Promise<void> {
  const access = accessOf(request);
  if (!access || access.kind === 'public') return;
  const caller = await authenticator.authenticate(request.headers.authorization);
  setCaller(request, caller);
  if (roleIncludes(caller.role, access.role)) return;
  throw new ApiError(
    'forbidden',
    `This needs the role ${access.role} or a higher one; the token has ${caller.role}.`,
  );
}

function accessOf(request: FastifyRequest): Access | undefined {
  // The matched route decides, not the text of the URL: the router also matches percent-encoded spellings.
  const path = request.is404 ? pathOf(request) : (request.routeOptions.url ?? '');
  if (path !== '/v1' && !path.startsWith('/v1/')) return undefined;
  if (request.is404) return { kind: 'role', role: 'viewer' };
  const { access } = request.routeOptions.config as { access?: Access };
  return access ?? DEFAULT_ACCESS;
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1);
  return path;
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', 'Send the body without a content encoding.');
  }
  if (body.length > 0) return parseJsonBody(body);
  if (request.method === 'DELETE') return undefined;
  throw new ApiError('bad_request', 'The body is empty: expected JSON.');
}

function notFound(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path.');
}

function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(
    errorBody(new ApiError('bad_request', 'The request is not readable HTTP.'), newRequestId()),
  );
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
