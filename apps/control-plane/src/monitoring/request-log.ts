import { destination } from 'pino';
import { PinoLogger, type Params } from 'nestjs-pino';

import type { LogLevel } from '@understudy/operator-commands';
import type { ServedRequest } from '../platform/http/pipeline/guard-requests.js';
import { MOCK_PREFIX } from '../data/mock-endpoints/serving/mock-url.js';

const UNLOGGED: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The log lines in the buffer are written when they total this number of bytes. */
const WRITE_AT_BYTES = 4_096;
/** The longest time that a line stays in the buffer. */
const WRITE_EVERY_MS = 100;
/**
 * The limit on unwritten lines. Further lines are dropped, so that a log reader that stops cannot fill the
 * memory.
 */
const WAITING_BYTES = 16 * 1024 * 1024;

/**
 * Opens standard output with buffering. Buffered lines are written when the process ends normally or fails. A
 * process that ends by SIGKILL loses the lines of its last 100 ms.
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
 * Returns the options for JSON log lines. `logRequest` logs the requests, instead of the middleware of
 * nestjs-pino. That middleware keeps an async context for each request, which makes every promise of the
 * process more expensive.
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

/** Logs one line for a request. It never contains the caller, headers, bodies or query strings. */
export function logRequest({ id, method, url, status, seconds }: ServedRequest): void {
  const { root } = PinoLogger;
  // The tests of users may send thousands of calls to mock endpoints, also calls that fail on purpose. These
  // calls are logged at level debug only.
  const isMockCall = url.startsWith(`${MOCK_PREFIX}/`);
  if (isMockCall && !root.isLevelEnabled('debug')) return;
  const path = pathOf(url);
  if (UNLOGGED.has(path)) return;
  const line = { request_id: id, method, path, status, ms: Math.round(seconds * 1000) };
  if (isMockCall) root.debug(line, 'mock call served');
  else if (status === null) root.info(line, 'request aborted');
  else if (status >= 500) root.error(line, 'request failed');
  else root.info(line, 'request completed');
}

/** Returns the path of a URL, with `***` instead of tokens that were pasted in place of an id. */
function pathOf(url: string): string {
  return url
    .split('?', 1)
    .join('')
    .slice(0, 200)
    .replace(/(us_[a-z]+_)[^/]+/g, '$1***');
}
