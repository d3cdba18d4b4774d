import type { FastifyInstance, RouteOptions } from 'fastify';

import { DASHBOARD_PREFIX } from '../../../platform/http/pipeline/dashboard-route.js';
import { MOCK_ROUTE } from './mock-url.js';
import type { MockServer } from './mock-server.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Serves the mock endpoints, and serves them again below `/dashboard` to sessions of their organisation. Request bodies
 * of any type are accepted and discarded. Call this function before `app.init`.
 */
export function mountMockEndpoints(fastify: FastifyInstance, server: MockServer): void {
  void fastify.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });
    const route: RouteOptions = {
      method: METHODS,
      url: MOCK_ROUTE,
      exposeHeadRoute: false,
      handler: (request, reply) => server.handle(request, reply),
    };
    scope.route(route);
    scope.route({
      ...route,
      url: DASHBOARD_PREFIX + MOCK_ROUTE,
      config: { dashboard: { access: 'session' } },
    });
    done();
  });
}
