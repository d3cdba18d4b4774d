import fastifyStatic from '@fastify/static';
import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { notFound } from '../platform/http/errors/api-error.js';
import { findDashboardSite, pathPrefix, type DashboardSite } from './dashboard-site.js';

/** The first segments of paths under `/dashboard/` that are not pages. */
const NOT_PAGES: ReadonlySet<string> = new Set([
  ...['assets', 'model-files', 'oidc', 'session', 'sessions', 'sign-in-links', 'v1'],
]);

/** Allows only files of this server. The name is the policy under which the page creates its Web Worker. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types worker-url',
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const REVALIDATE = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Serves the dashboard at `/dashboard/`. If that is not possible, the call logs the reason, and the paths do not exist.
 * Call this function before `app.init`.
 */
export function mountDashboard(
  fastify: FastifyInstance,
  publicUrl: string,
  logger: Pick<LoggerService, 'warn'>,
  find = findDashboardSite,
): void {
  const prefix = pathPrefix(publicUrl);
  if (prefix === undefined) {
    logger.warn(`The dashboard is not served: ${EXPECTED_PATH}`);
    return;
  }
  const site = find(prefix);
  if (!site) {
    logger.warn('The dashboard is not served: its files are not built. Run npm run build, and start again.');
    return;
  }
  void fastify.register((scope, _, done) => {
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
    serveFiles(scope, site.folder);
    servePages(scope, site);
    done();
  });
}

const EXPECTED_PATH =
  'expected a path of letters, digits, ".", "_", "~" and "-" in UNDERSTUDY_PUBLIC_URL, received other characters.';

/** Creates a route for each file that exists now. The names of files in `assets` contain a hash of their content. */
function serveFiles(scope: FastifyInstance, root: string): void {
  void scope.register(fastifyStatic, {
    root,
    prefix: '/dashboard/',
    wildcard: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/dist/site/assets/') ? IMMUTABLE : REVALIDATE);
    },
  });
}

/** Sends index.html for each path that the router of the page may know. */
function servePages(scope: FastifyInstance, { page, etag, prefix }: DashboardSite): void {
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    void reply.headers({ etag, 'cache-control': REVALIDATE });
    if (hasTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('text/html; charset=utf-8').send(page);
  };
  const redirect = (_: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.redirect(`${prefix}/dashboard/`, 302);
  // Programs that do not know the API send requests to `/`, so these count as requests to unknown paths do.
  const config = { dashboard: { access: 'anyone' } } as const;
  scope.get('/', { config }, async (request, reply) => redirect(request, pageOnly(request, reply)));
  scope.get('/dashboard', async (request, reply) => redirect(request, reply));
  scope.get('/dashboard/', async (request, reply) => send(request, reply));
  scope.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
    const [first = ''] = request.params['*'].split('/', 1);
    if (NOT_PAGES.has(first)) throw notFound();
    return send(request, pageOnly(request, reply));
  });
}

/** @throws ApiError `not_found` if the client does not ask for a page, for example if it is a program */
function pageOnly(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) throw notFound();
  return reply;
}

function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
