import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startOfUtcDay } from '@understudy/sync-job';

import { headersProblem } from '../../../platform/http/server/check-headers.js';
import type { ServedRequest } from '../../../platform/http/pipeline/guard-requests.js';
import { rateLimitHeaders, RateLimiter } from '../../../platform/http/rate-limits/rate-limiter.js';
import { newRequestId } from '../../../platform/http/pipeline/caller-request.js';
import { ENDPOINT_ID_LENGTH, MOCK_PREFIX, MOCK_ROUTE } from './mock-url.js';
import { isSmall } from './response-memory.js';
import { generationHeaders } from './mock-headers.js';
import { RequestCounts } from './request-counts.js';
import { ServedEndpoints } from './served-endpoints.js';

const ID_START = MOCK_PREFIX.length + 1;
const PATH_START = ID_START + ENDPOINT_ID_LENGTH;

/**
 * Serves most calls on a fast path, before Fastify and without a promise. Such a call is a GET without
 * options to an endpoint that is in memory. The endpoint's buffer must contain a response, and this process
 * must hold a share of the endpoint's rate-limit window. MockServer serves all other calls. It could serve
 * the calls of the fast path with the same headers and body, but takes three times as long.
 */
@Injectable()
export class PreparedResponses implements OnModuleDestroy {
  private closing = false;
  private day = { startsAt: Number.NaN, text: '' };

  constructor(
    private readonly endpoints: ServedEndpoints,
    private readonly limiter: RateLimiter,
    private readonly counts: RequestCounts,
  ) {}

  /** Leaves all further requests to Fastify, which refuses them while the server stops. */
  onModuleDestroy(): void {
    this.closing = true;
  }

  /**
   * @param onServed called after the response was sent
   * @returns false if MockServer must serve the call; in that case no rate-limit point was spent, no call was
   * counted and nothing was written
   */
  respond(
    request: IncomingMessage,
    response: ServerResponse,
    onServed: (request: ServedRequest) => void,
  ): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' || !url.startsWith(`${MOCK_PREFIX}/`) || this.closing) return false;
    const endpoint = this.endpoints.known(url.slice(ID_START, PATH_START));
    if (endpoint?.plain === undefined || url.slice(PATH_START) !== endpoint.plain.path) return false;
    if (request.headers['x-seed'] !== undefined || headersProblem(request)) return false;
    const startedAt = performance.now();
    const now = new Date();
    const nowMs = startOfUtcDay(now).getTime();
    const prepared = endpoint.buffer.peek(nowMs);
    if (prepared === undefined || 'refusal' in prepared || !isSmall(prepared.body.length)) return false;
    const allowance = this.limiter.spendShareOfEndpoint(endpoint.id);
    if (!allowance) return false;
    void endpoint.buffer.take(nowMs);
    this.counts.add(endpoint.id, now);
    const id = newRequestId();
    const { status, count } = endpoint.response;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const sent = response.writableFinished ? status : null;
      onServed({ id, method, url, route: MOCK_ROUTE, status: sent, seconds });
    });
    const headers = [...endpoint.plain.headers, 'x-request-id', id];
    append(headers, rateLimitHeaders(allowance));
    append(headers, generationHeaders(prepared.seed, count, this.textOf(nowMs)));
    headers.push('content-length', String(prepared.body.length));
    response.writeHead(status, headers).end(prepared.body);
    return true;
  }

  private textOf(startsAt: number): string {
    if (startsAt !== this.day.startsAt) this.day = { startsAt, text: new Date(startsAt).toISOString() };
    return this.day.text;
  }
}

function append(flat: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) flat.push(name, headers[name] as string);
}
