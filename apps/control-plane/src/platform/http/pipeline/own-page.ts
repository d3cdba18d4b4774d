import type { IncomingHttpHeaders } from 'node:http';

import { ApiError } from '../errors/api-error.js';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether only programs on the same machine reach a URL. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.has(new URL(url).hostname);
}

/** Recognizes requests that a page of this server sent, so that other sites cannot use the session's cookie. */
export class OwnPage {
  private readonly origin: string;
  private readonly isPlainHttp: boolean;

  /** @param publicUrl the URL at which browsers reach this server; its path does not matter */
  constructor(publicUrl: string) {
    const { origin, protocol } = new URL(publicUrl);
    this.origin = origin;
    this.isPlainHttp = protocol === 'http:';
  }

  /**
   * Accepts a request if the browser reports `Sec-Fetch-Site: same-origin`. A browser that does not send this
   * header must send its own origin in `Origin`. Any request with neither header is refused.
   * @throws ApiError `forbidden`
   */
  assertSent(headers: IncomingHttpHeaders): void {
    const site = headers['sec-fetch-site'];
    if (site === undefined ? this.isOwn(headers) : site === 'same-origin') return;
    throw new ApiError('forbidden', 'Expected a request from a page of this dashboard.');
  }

  /** On plain HTTP, also accepts the loopback address at which the browser reached the server. */
  private isOwn({ origin, host = '' }: IncomingHttpHeaders): boolean {
    if (origin === undefined) return false;
    if (origin === this.origin) return true;
    return this.isPlainHttp && origin === `http://${host}` && isLoopbackUrl(origin);
  }
}
