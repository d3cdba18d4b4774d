import type { FastifyInstance } from 'fastify';

import { MOCK_ROUTE } from './mock-url.js';
import type { MockServer } from './mock-server.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Serves the mock endpoints. Request bodies of any type are accepted and discarded. Call this function before
 * `app.init`.
 */
export function mountMockEndpoints(fastify: FastifyInstance, server: MockServer): void {
  void fastify.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });
    scope.route({
      method: METHODS,
      url: MOCK_ROUTE,
      exposeHeadRoute: false,
      handler: (request, reply) => server.handle(request, reply),
    });
    done();
  });
}
