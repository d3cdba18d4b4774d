import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startOfUtcDay } from '@understudy/sync-job';

import { headersProblem } from '../../http/server/check-headers.js';
import type { ServedRequest } from '../../http/pipeline/guard-requests.js';
import { rateLimitHeaders, RateLimiter } from '../../http/rate-limits/rate-limiter.js';
import { newRequestId } from '../../http/pipeline/caller-request.js';
import { ENDPOINT_ID_LENGTH, MOCK_PREFIX, MOCK_ROUTE } from './mock-url.js';
import { isSmall } from './answer-room.js';
import { generationHeaders } from './mock-headers.js';
import { RequestCounts } from './request-counts.js';
import { ServedEndpoints } from './served-endpoints.js';

const ID_START = MOCK_PREFIX.length + 1;
const PATH_START = ID_START + ENDPOINT_ID_LENGTH;

/**
 * The short way of most calls, before Fastify and without a promise: a GET that asks for nothing special, of an endpoint that is known,
 * whose window this process holds a share of, and that has an answer made ahead. What it leaves to MockServer would get the
 * same answer there, headers included; it only takes three times as long.
 */
@Injectable()
export class ReadyAnswers implements OnModuleDestroy {
  private closing = false;
  private day = { startsAt: Number.NaN, text: '' };

  constructor(
    private readonly endpoints: ServedEndpoints,
    private readonly limiter: RateLimiter,
    private readonly counts: RequestCounts,
  ) {}

  /** Fastify knows how requests of a server that stops are refused. */
  onModuleDestroy(): void {
    this.closing = true;
  }

  /**
   * @param answered told when the answer has left
   * @returns false when the call is not of that kind; then nothing was spent, counted or written
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    answered: (request: ServedRequest) => void,
  ): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' || !url.startsWith(MOCK_PREFIX) || this.closing) return false;
    const endpoint = this.endpoints.known(url.slice(ID_START, PATH_START));
    if (endpoint?.plain === undefined || url.slice(PATH_START) !== endpoint.plain.path) return false;
    if (request.headers['x-seed'] !== undefined || headersProblem(request)) return false;
    const startedAt = performance.now();
    const now = new Date();
    const nowMs = startOfUtcDay(now).getTime();
    const answer = endpoint.stock.peek(nowMs);
    if (answer === undefined || 'refusal' in answer || !isSmall(answer.body.length)) return false;
    const allowance = this.limiter.spendShareOfEndpoint(endpoint.id);
    if (!allowance) return false;
    void endpoint.stock.take(nowMs);
    this.counts.add(endpoint.id, now);
    const id = newRequestId();
    const { status, count } = endpoint.response;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const sent = response.writableFinished ? status : null;
      answered({ id, method, url, route: MOCK_ROUTE, status: sent, seconds });
    });
    const headers = [...endpoint.plain.headers, 'x-request-id', id];
    append(headers, rateLimitHeaders(allowance));
    append(headers, generationHeaders(answer.seed, count, this.textOf(nowMs)));
    headers.push('content-length', String(answer.body.length));
    response.writeHead(status, headers).end(answer.body);
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
