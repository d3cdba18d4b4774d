import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Admission, type AdmissionServices } from './admission.js';
import { assertDeclared, dashboardRouteOf, type DashboardRoute } from './dashboard-route.js';
import { ApiError, notFound } from '../errors/api-error.js';
import { checkHeaders } from '../server/check-headers.js';
import type { Operation } from '../operations/operation.js';
import { isApiPath, OperationRoutes } from '../operations/operation-routes.js';
import { setCaller } from './caller-request.js';
import { RouteTable } from '../operations/route-table.js';
import { MAX_LARGE_BODY_BYTES } from './json-body.js';

export interface ServedRequest {
  readonly id: string;
  readonly method: string;
  /** The URL as the router received it. */
  readonly url: string;
  /** The route's pattern, or `unknown` if no route matched. */
  readonly route: string;
  /** Null if the client disconnected before the response. */
  readonly status: number | null;
  readonly seconds: number;
}

export interface Guards extends AdmissionServices {
  /** Every operation of the API. */
  readonly operations: readonly Operation[];
  /** Called for every request after its response was sent, or after its client disconnected. */
  readonly onServed: (request: ServedRequest) => void;
}

/**
 * Adds hooks that find the operation and check the caller before the body is read. Call this function before
 * `app.init`.
 */
export function guardRequests(fastify: FastifyInstance, { operations, onServed, ...services }: Guards): void {
  const paths = new RouteTable();
  const routes = new OperationRoutes(operations);
  const admission = new Admission(services);
  fastify.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    paths.add(methods, route.url);
    assertDeclared(route);
    const operation = routes.check(route.url, route.config?.operation);
    if (!operation) return;
    if (isSigned(operation)) route.bodyLimit = MAX_SIGNED_BODY_BYTES;
    if (operation.hasLargeBody) route.bodyLimit = MAX_LARGE_BODY_BYTES;
    const copy = dashboardRouteOf(route, operation);
    if (copy) fastify.route(copy);
  });
  fastify.addHook('onReady', async () => routes.assertComplete());
  const report = (request: FastifyRequest, status: number | null, seconds: number): void => {
    const { id, method, url } = request;
    onServed({ id, method, url, route: routeOf(request), status, seconds });
  };
  fastify.addHook('onResponse', (request, reply, done) => {
    report(request, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    report(request, null, 0);
    done();
  });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    const operation = operationOf(request);
    // Probes, metrics, the ops page and static files are not part of the API.
    if (!operation && !request.is404 && !dashboardOf(request)) return;
    await admit(admission, request, reply, operation);
    checkHeaders(request.raw);
    if (request.is404) throw nothingAt(paths, request, reply);
  });
}

/**
 * Returns the operation of the route that the router matched. Do not compare the URL with a path instead,
 * because the URL may be percent-encoded.
 */
export function operationOf(request: FastifyRequest): Operation | undefined {
  return request.is404 ? undefined : request.routeOptions.config.operation;
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
}

/**
 * Returns who may call the dashboard's route that the router matched. As for {@link operationOf}, the URL does
 * not matter.
 */
export function dashboardOf(request: FastifyRequest): DashboardRoute | undefined {
  return request.is404 ? undefined : request.routeOptions.config.dashboard;
}

/**
 * Admits a request. The matched route decides whether a token or the cookie of a session authenticates it.
 * Unknown paths under /v1 also need a token, so that a client without a token cannot find out which paths
 * exist.
 */
async function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation | undefined,
): Promise<void> {
  const dashboard = dashboardOf(request);
  if (dashboard) {
    const caller = await admission.admitBrowser(request, reply, dashboard);
    if (!caller) return;
    setCaller(request, caller);
    if (operation) admission.allow(caller, operation);
    return;
  }
  if (isSigned(operation)) return admission.admitSigned(request, reply);
  const asksForToken = operation ? operation.role !== 'public' : isApiPath(pathOf(request));
  if (!asksForToken) return admission.admitAnyone(request, reply);
  const caller = await admission.admitCaller(request, reply);
  setCaller(request, caller);
  if (operation) admission.allow(caller, operation);
}

function isSigned(operation: Operation | undefined): boolean {
  return operation?.role === 'public' && operation.signedBy !== undefined;
}

/** A signed request is read before it is counted, so its body must be small. */
const MAX_SIGNED_BODY_BYTES = 4_096;

function nothingAt(paths: RouteTable, request: FastifyRequest, reply: FastifyReply): ApiError {
  const methods = paths.methodsOf(pathOf(request));
  if (methods.length === 0) return notFound();
  void reply.header('allow', methods.join(', '));
  return new ApiError('method_not_allowed', `This path supports ${methods.join(', ')}.`);
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?', 1);
  return path;
}
