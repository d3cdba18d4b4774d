import type { FastifyRequest } from 'fastify';

import type { Caller } from './caller.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Keeps who asks beside the request, where nothing the client sends can reach. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}
