import type { RouteOptions } from 'fastify';

import type { Operation } from '../operations/operation.js';

/** The path prefix of everything that belongs to the dashboard. */
export const DASHBOARD_PREFIX = '/dashboard';

/** Who may call a route of the dashboard. Such a route never reads the Authorization header. */
export interface DashboardRoute {
  /**
   * - `anyone`: needs no session, and counts against the window of the client's address.
   * - `sign_in`: as `anyone`, but counts against the smaller window of sign-in attempts.
   * - `session`: needs the cookie of a session.
   */
  readonly access: 'anyone' | 'sign_in' | 'session';
  /** True if calls neither extend the idle time of the session nor count as writes. */
  readonly isPassive?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes below `/dashboard/` that are not static files. */
    dashboard?: DashboardRoute | undefined;
  }
}

/**
 * Returns the route that serves an operation of `/v1` to the dashboard: the same handler below `/dashboard`,
 * but authenticated by the session's cookie.
 * @returns undefined for operations of agents, which browsers never call, and for HEAD routes, because Fastify
 *   adds them itself
 */
export function dashboardRouteOf(
  { method, url, handler, bodyLimit, constraints }: RouteOptions,
  operation: Operation,
): RouteOptions | undefined {
  const isOfAgents = operation.role === 'public' && operation.path.startsWith('/v1/agents/');
  if (isOfAgents || method === 'HEAD') return undefined;
  const dashboard: DashboardRoute = { access: operation.role === 'public' ? 'anyone' : 'session' };
  return {
    method,
    url: DASHBOARD_PREFIX + url,
    handler,
    config: { operation, dashboard },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(constraints === undefined ? {} : { constraints }),
  };
}

/** @throws Error for a route below `/dashboard/` that changes something and is not declared */
export function assertDeclared({ method, url, config }: RouteOptions): void {
  const isWrite = [method].flat().some((name) => name !== 'GET' && name !== 'HEAD');
  if (!isWrite || !url.startsWith(`${DASHBOARD_PREFIX}/`) || config?.dashboard !== undefined) return;
  throw new Error(`${[method].flat().join(', ')} ${url} needs the route configuration \`dashboard\``);
}
