import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PATH = '/docs';

/** Allows the page to send requests only to its own server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
};

/**
 * Serves Swagger UI with the OpenAPI document at `/docs`. All files come from this server. Call this function before
 * `app.init`.
 */
export function mountReferencePage(fastify: FastifyInstance): void {
  for (const { path, type, body } of files()) {
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    fastify.get(path, async (request, reply) => {
      void reply.headers({ ...HEADERS, etag });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type(type).send(body);
    });
  }
}

interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Reads the files of the page, about 2 MB. URLs in the page are relative, so that a proxy can serve the page below a
 * prefix.
 */
function files(): PageFile[] {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const page = { path: PATH, type: 'text/html; charset=utf-8', body: Buffer.from(PAGE) };
  const script = { path: `${PATH}/reference.js`, type: JAVASCRIPT, body: Buffer.from(SCRIPT) };
  const packaged = [
    { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
    { name: 'swagger-ui-bundle.js', type: JAVASCRIPT },
    { name: 'favicon-32x32.png', type: 'image/png' },
  ].map(({ name, type }) => ({ path: `${PATH}/${name}`, type, body: readFileSync(join(folder, name)) }));
  return [page, script, ...packaged];
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Understudy API</title>
    <link rel="icon" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The description itself is <a href="v1/openapi.json">v1/openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/reference.js"></script>
  </body>
</html>
`;

// Without `validatorUrl: null`, the page would send the document's URL to an external validator.
const SCRIPT = `SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;
