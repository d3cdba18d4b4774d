import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import createFastify, { type FastifyInstance } from 'fastify';
import { createServer, type RequestListener } from 'node:http';

import { Configuration } from '../platform/config/configuration.js';
import { deadLettersPage, ROWS_SHOWN } from '../platform/dead-letters/dead-letters-page.js';
import { DeadLettersService } from '../platform/dead-letters/dead-letters.service.js';
import { notFound } from '../platform/http/errors/api-error.js';
import { asApiError } from '../platform/http/errors/as-api-error.js';
import { newRequestId } from '../platform/http/pipeline/caller-request.js';
import { limitConnections } from '../platform/http/server/limit-connections.js';
import { endedWorkPage } from '../platform/job-queue/ended-work-page.js';
import { JobQueue } from '../platform/job-queue/job-queue.js';
import { mountOpsPage, refuse } from '../platform/job-queue/ops-page.js';
import { LoginAttempts } from './login-attempts.js';
import { MetricsService } from './metrics.service.js';
import { ReadinessService } from './readiness.service.js';

/** These limits are low, because requests are small and come from machines nearby. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 64 * 1024;

/**
 * The second listener, for operators: `/readyz` with details, `/metrics` without a login, and `/ops` behind a
 * login. The listener shows counts over all organisations, so its address must not be public.
 */
@Injectable()
export class OpsServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly fastify: FastifyInstance;

  constructor(
    private readonly configuration: Configuration,
    private readonly readiness: ReadinessService,
    private readonly metrics: MetricsService,
    queue: JobQueue,
    deadLetters: DeadLettersService,
  ) {
    const { ops } = configuration;
    const { trustedProxies = [] } = configuration.http;
    this.fastify = createFastify({
      // Every server that Fastify creates has the limits. For `localhost`, it would otherwise create a second one.
      serverFactory: (handle: RequestListener) => {
        const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, handle);
        limitConnections(server, { ...ops, trustedProxies });
        return server;
      },
      bodyLimit: MAX_BODY_BYTES,
      genReqId: newRequestId,
      trustProxy: trustedProxies.length > 0 && [...trustedProxies],
      forceCloseConnections: true,
    });
    this.fastify.addHook(
      'onRequest',
      async (_, reply) => void reply.header('x-content-type-options', 'nosniff'),
    );
    this.setErrorHandlers();
    this.mountReports();
    mountOpsPage(this.fastify, queue, ops, new LoginAttempts(ops.failedLoginsPerMinute), [
      {
        title: 'Ended work',
        path: '/ended-work',
        html: async () => endedWorkPage(await queue.endedWork()),
      },
      {
        title: 'Dead letters',
        path: '/dead-letters',
        html: async () => deadLettersPage(await deadLetters.list(ROWS_SHOWN)),
      },
    ]);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, port } = this.configuration.ops;
    await this.fastify.listen({ host, port });
  }

  async onModuleDestroy(): Promise<void> {
    await this.fastify.close();
  }

  /** The URL of the listener, after it has started. */
  get url(): string {
    return this.fastify.listeningOrigin;
  }

  private setErrorHandlers(): void {
    this.fastify.setNotFoundHandler((request, reply) => refuse(request, reply, notFound()));
    this.fastify.setErrorHandler((thrown, request, reply) => refuse(request, reply, asApiError(thrown)));
  }

  private mountReports(): void {
    this.fastify.get('/readyz', async (_request, reply) => {
      const report = await this.readiness.report();
      return reply.status(report.status === 'ok' ? 200 : 503).send(report);
    });
    this.fastify.get('/metrics', async (_request, reply) => {
      const { contentType, body } = await this.metrics.text();
      return reply.type(contentType).send(body);
    });
  }
}
