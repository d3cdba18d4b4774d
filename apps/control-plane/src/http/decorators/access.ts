import { RouteConfig } from '@nestjs/platform-fastify';

import type { Role } from '../caller.js';

/** What a route asks of its caller; carried in the Fastify route, so that it is known before a body is read. */
export type Access = { readonly kind: 'public' } | { readonly kind: 'role'; readonly role: Role };

/** Any token of the organisation may read; the default of a route without a decorator is `owner`. */
export const DEFAULT_ACCESS: Access = { kind: 'role', role: 'owner' };

export const PUBLIC_ACCESS: Access = { kind: 'public' };

/** Marks a route; for methods of controllers only. */
export function accessDecorator(access: Access): MethodDecorator {
  return RouteConfig({ access }) as MethodDecorator;
}
