import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { startOfUtcDay } from '@understudy/sync-job';

import { ApiError, notFound } from '../../../platform/http/errors/api-error.js';
import { asApiError } from '../../../platform/http/errors/as-api-error.js';
import { checkHeaders } from '../../../platform/http/server/check-headers.js';
import { disconnectSignal } from '../../../platform/http/server/fastify.js';
import { errorBody } from '../../../platform/http/errors/error-body.js';
import { randomSeed } from '../../generation/random-seed.js';
import type { Refusal } from '../../compute/refusal.js';
import { ResponseGenerator } from './response-generator.js';
import type { GeneratedResponse } from './response-buffer.js';
import { ResponseMemory } from './response-memory.js';
import { callOutcome } from './call-outcome.js';
import { readCallOptions, type CallOptions } from './call-options.js';
import { MockAdmission } from './mock-admission.js';
import { generationHeaders, methodsOf, MOCK_HEADERS, preflightHeaders } from './mock-headers.js';
import { readMockUrl } from './mock-url.js';
import { Pauses } from './pauses.js';
import { matchPath } from '../path-pattern.js';
import { RequestCounts } from './request-counts.js';
import type { ServedEndpoint } from './served-endpoint.js';

/** Serves the requests to mock endpoints. */
@Injectable()
export class MockServer implements OnModuleDestroy {
  private readonly logger = new Logger('mock');
  private readonly pauses = new Pauses();
  private readonly memory = new ResponseMemory();

  constructor(
    private readonly admission: MockAdmission,
    private readonly generator: ResponseGenerator,
    private readonly counts: RequestCounts,
  ) {}

  onModuleDestroy(): void {
    this.pauses.end();
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.headers(MOCK_HEADERS);
    try {
      checkHeaders(request.raw);
      await this.respond(request, reply);
    } catch (thrown) {
      this.refuse(asApiError(thrown), request, reply);
    }
  }

  /** @throws ApiError */
  private async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { endpointId, path, query } = readMockUrl(request.originalUrl);
    const admitted = this.admission.admit(endpointId, request, reply);
    const endpoint = admitted instanceof Promise ? await admitted : admitted;
    if (request.method === 'OPTIONS')
      return void reply.status(204).headers(preflightHeaders(endpoint)).removeHeader('content-type').send();
    const params = this.match(endpoint, request.method, path, reply);
    const options = readCallOptions(query, request.headers['x-seed']);
    const today = new Date();
    this.counts.add(endpoint.id, today);
    const now = options.now ?? startOfUtcDay(today);
    const generated = await this.generate(endpoint, { params, options, now }, reply);
    const count = options.count ?? endpoint.response.count;
    void reply.headers(generationHeaders(generated.seed, count, now.toISOString()));
    if ('refusal' in generated) throw schemaFailed(generated.refusal);
    if (!this.memory.take(endpoint.organizationId, generated.body.length, reply)) throw busy();
    const { status } = endpoint.response;
    void reply.status(status).headers(endpoint.headers);
    // RFC 9110, sections 15.3.5 and 15.3.6: responses with these statuses have no content.
    if (status === 204 || status === 205) void reply.removeHeader('content-type').send();
    else void reply.send(generated.body);
  }

  /** @throws ApiError `method_not_allowed` or `not_found` */
  private match(
    endpoint: ServedEndpoint,
    method: string,
    path: string,
    reply: FastifyReply,
  ): Record<string, string> {
    const params = matchPath(endpoint.pattern, path);
    if (params === undefined) throw notFound();
    if (methodsOf(endpoint).includes(method)) return params;
    void reply.header('allow', methodsOf(endpoint).join(', '));
    throw new ApiError('method_not_allowed', `This endpoint supports ${endpoint.method}.`);
  }

  private async generate(
    endpoint: ServedEndpoint,
    { params, options, now }: { params: Record<string, string>; options: CallOptions; now: Date },
    reply: FastifyReply,
  ): Promise<GeneratedResponse> {
    const { response, buffer } = endpoint;
    const nowMs = now.getTime();
    if (isPlain(endpoint, options) && buffer.isWorthwhile) {
      const taken = buffer.take(nowMs);
      const generated = taken instanceof Promise ? await taken : taken;
      await this.applyOutcome(endpoint, generated.seed, reply);
      return generated;
    }
    const seed = options.seed ?? randomSeed();
    await this.applyOutcome(endpoint, seed, reply);
    const call = { seed, count: options.count ?? response.count, params };
    return this.generator.generateOne(endpoint, call, nowMs, disconnectSignal(reply));
  }

  /**
   * Simulates the delay and the failure that the endpoint defines for its calls.
   * @throws ApiError `internal_error`
   */
  private async applyOutcome({ response }: ServedEndpoint, seed: number, reply: FastifyReply): Promise<void> {
    const { fails, latencyMs } = callOutcome(response, seed);
    if (latencyMs > 0) await this.pauses.pause(latencyMs, disconnectSignal(reply));
    if (!fails) return;
    void reply.header('x-generation-seed', String(seed));
    throw new ApiError('internal_error', 'This is a simulated failure: the endpoint has a fail_rate.');
  }

  private refuse(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
    if (error.cause instanceof Error) {
      const { name, stack } = error.cause;
      this.logger.error({ request_id: request.id, err: { name, stack } });
    }
    if (error.retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(error.retryAfterSeconds));
    if (error.code === 'unauthorized') void reply.header('www-authenticate', 'Bearer');
    void reply.status(error.status).send(JSON.stringify(errorBody(error, request.id)));
  }
}

/** Returns whether a call has no options, so that any prepared response fits. */
function isPlain({ pattern }: ServedEndpoint, { seed, now, count }: CallOptions): boolean {
  if (seed !== undefined || now !== undefined || count !== undefined) return false;
  return !pattern.hasParams;
}

/** The error for a schema that fails. Its status is 500, because the caller is not at fault. */
function schemaFailed({ details = [] }: Refusal): ApiError {
  const [first] = details;
  return new ApiError('internal_error', `${first?.field ?? 'schema'}: ${first?.message ?? 'failed'}`, {
    details,
  });
}

function busy(): ApiError {
  const message = 'Too many large responses are being sent at the moment. Try again shortly.';
  return new ApiError('unavailable', message, { retryAfterSeconds: 2 });
}
