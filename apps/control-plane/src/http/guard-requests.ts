import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Admission, type AdmissionServices } from './admission.js';
import { ApiError, nothingHere } from './api-error.js';
import { checkHeaders } from './check-headers.js';
import type { Operation } from './operation.js';
import { isApiPath, OperationRoutes } from './operation-routes.js';
import { OPERATIONS } from './operations.js';
import { setCaller } from './request-state.js';
import { RouteTable } from './route-table.js';

export interface Guards extends AdmissionServices {
  /** Told of every request after its answer has left. */
  readonly answered: (request: { method: string; route: string; status: number; seconds: number }) => void;
}

/** What must be known before a body is read: which operation, who asks, whether they may. Call before `app.init`. */
export function guardRequests(fastify: FastifyInstance, { answered, ...services }: Guards): void {
  const paths = new RouteTable();
  const operations = new OperationRoutes(OPERATIONS);
  const admission = new Admission(services);
  fastify.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    paths.add(methods, route.url);
    route.config = { ...route.config, operation: operations.join(methods, route.url) };
  });
  fastify.addHook('onReady', async () => operations.assertComplete());
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    answered({ method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    done();
  });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    const operation = operationOf(request);
    // Probes, metrics and the ops page are not the API.
    if (!operation && !request.is404) return;
    await admit(admission, request, reply, operation);
    checkHeaders(request.raw);
    if (request.is404) throw nothingAt(paths, request, reply);
  });
}

/** The operation of the matched route; the router decides, not the text of the URL, which it also matches percent-encoded. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  return request.is404 ? undefined : request.routeOptions.config.operation;
}

/** Unknown paths under /v1 ask for a token too: what exists is not told to everybody. */
async function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation | undefined,
): Promise<void> {
  const asksForToken = operation ? operation.role !== 'public' : isApiPath(pathOf(request));
  if (!asksForToken) return admission.admitAnyone(request, reply);
  const caller = await admission.admitCaller(request, reply);
  setCaller(request, caller);
  if (operation) admission.allow(caller, operation);
}

function nothingAt(paths: RouteTable, request: FastifyRequest, reply: FastifyReply): ApiError {
  const methods = paths.methodsOf(pathOf(request));
  if (methods.length === 0) return nothingHere();
  void reply.header('allow', methods.join(', '));
  return new ApiError('method_not_allowed', `This path takes ${methods.join(', ')}.`);
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1);
  return path;
}
