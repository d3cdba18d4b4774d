import { destination } from 'pino';
import { PinoLogger, type Params } from 'nestjs-pino';

import type { LogLevel } from '../config/configuration.js';
import type { ServedRequest } from '../http/pipeline/guard-requests.js';
import { MOCK_PREFIX } from '../mock-endpoints/serving/mock-url.js';

const UNLOGGED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** As many bytes as lines wait for before they are written together. */
const WRITE_AT_BYTES = 4_096;
/** So long a line waits at most. */
const WRITE_EVERY_MS = 100;
/** Of lines nobody reads; those beyond are dropped, or a reader that hangs would fill the memory. */
const WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Standard output, a write for many lines instead of one for each. Lines that wait are written when the process ends by
 * itself or fails; a SIGKILL loses those of its last 100 ms.
 */
function standardOutput() {
  return destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: WRITE_AT_BYTES,
    periodicFlush: WRITE_EVERY_MS,
    maxLength: WAITING_BYTES,
  });
}

/**
 * JSON lines. Requests are logged by `logRequest`, not by the middleware of nestjs-pino, whose context for each request
 * makes every promise of the process dearer.
 */
export function logOptions(level: LogLevel): Params {
  return {
    forRoutes: [],
    pinoHttp: [
      { level, redact: { paths: ['authorization', '*.authorization', '*.password'], remove: true } },
      standardOutput(),
    ],
  };
}

/** One line a request: who asks is never in it, nor headers, bodies and query strings. */
export function logRequest({ id, method, url, status, seconds }: ServedRequest): void {
  const { root } = PinoLogger;
  // Somebody's tests may call mock endpoints by the thousand, and have them fail.
  const isMockCall = url.startsWith(`${MOCK_PREFIX}/`);
  if (isMockCall && !root.isLevelEnabled('debug')) return;
  const path = pathOf(url);
  if (UNLOGGED.has(path)) return;
  const line = { request_id: id, method, path, status, ms: Math.round(seconds * 1000) };
  if (isMockCall) root.debug(line, 'mock call answered');
  else if (status === null) root.info(line, 'request aborted');
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
