import type { FastifyInstance, FastifyRequest } from 'fastify';

import { DatabaseWaits } from '../../persistence/database-waits.js';

/**
 * Gives each request one limit on the time for which it waits for PostgreSQL. Other work of a request has limits of
 * its own, so that generating many records may take longer. Call this function before other hooks are added.
 */
export function limitDatabaseWaits(fastify: FastifyInstance): void {
  const waits = new WeakMap<FastifyRequest, DatabaseWaits>();
  fastify.addHook('onRequest', (request, _, done) => {
    const ofRequest = new DatabaseWaits();
    waits.set(request, ofRequest);
    ofRequest.during(done);
  });
  // Node reads the body outside of the context of the first hook.
  fastify.addHook('preValidation', (request, _, done) => {
    (waits.get(request) ?? new DatabaseWaits()).during(done);
  });
}
