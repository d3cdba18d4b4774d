import { PinoLogger, type Params } from 'nestjs-pino';

import type { LogLevel } from '../config/configuration.js';
import type { ServedRequest } from '../http/guard-requests.js';

const UNLOGGED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * JSON lines. Requests are logged by `logRequest`, not by the middleware of nestjs-pino, whose context for each request
 * makes every promise of the process dearer.
 */
export function logOptions(level: LogLevel): Params {
  return {
    forRoutes: [],
    pinoHttp: {
      level,
      redact: { paths: ['authorization', '*.authorization', '*.password'], remove: true },
    },
  };
}

/** One line a request: who asks is never in it, nor headers, bodies and query strings. */
export function logRequest({ id, method, url, status, seconds }: ServedRequest): void {
  const path = pathOf(url);
  if (UNLOGGED.has(path)) return;
  const line = { request_id: id, method, path, status, ms: Math.round(seconds * 1000) };
  const { root } = PinoLogger;
  if (status === null) root.info(line, 'request aborted');
  else if (status >= 500) root.error(line, 'request failed');
  else root.info(line, 'request completed');
}

/** A secret that was pasted where an id belongs is not written down. */
function pathOf(url: string): string {
  return url
    .split('?', 1)
    .join('')
    .slice(0, 200)
    .replace(/(us_[a-z]+_)[^/]+/g, '$1***');
}
