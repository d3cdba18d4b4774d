import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions, NestMicroservice } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Logger } from 'nestjs-pino';
import { DataSource } from 'typeorm';

import { AgentLinkServer, HandlerErrorsFilter } from './agent-link/receiving/agent-link-server.js';
import { mountReferencePage } from './api-description/reference-page.js';
import { AppModule } from './app.module.js';
import { Configuration } from './config/configuration.js';
import { Authenticator } from './http/pipeline/identify-caller.js';
import { CallMeter } from './http/pipeline/admission.js';
import { createFastifyAdapter, takeJsonOnly } from './http/server/fastify.js';
import { guardRequests, type ServedRequest } from './http/pipeline/guard-requests.js';
import { RateLimiter } from './http/rate-limits/rate-limiter.js';
import { takeForms } from './http/uploads/multipart-form.js';
import { MockServer } from './mock-endpoints/serving/mock-server.js';
import { ReadyAnswers } from './mock-endpoints/serving/ready-answers.js';
import { mountMockEndpoints } from './mock-endpoints/serving/mount-mock-endpoints.js';
import { MetricsService } from './monitoring/metrics.service.js';
import { logRequest } from './monitoring/request-log.js';
import { refuseDevelopmentDatabase } from './persistence/data-source.js';

/** The whole application, wired and not yet listening: `listen` opens HTTP, `startAllMicroservices` the agent link. */
export async function createApp(configuration: Configuration): Promise<NestFastifyApplication> {
  const adapter = createFastifyAdapter({
    trustedProxies: configuration.http.trustedProxies ?? [],
    requestTimeoutMs: configuration.http.requestTimeoutMs,
    maxConnections: configuration.http.maxConnections,
    limiter: () => app.get(RateLimiter, { strict: false }),
    first: (request, response) => ready.answer(request, response, answered),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.for(configuration), adapter, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  app.flushLogs();
  await refuseDevelopmentDatabase(app.get(DataSource));
  app.setGlobalPrefix('v1', { exclude: ['healthz', 'readyz'] });
  const metrics = app.get(MetricsService);
  const answered = (request: ServedRequest): void => {
    metrics.recordRequest(request);
    logRequest(request);
  };
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  takeJsonOnly(fastify);
  guardRequests(fastify, {
    authenticator: app.get(Authenticator, { strict: false }),
    limiter: app.get(RateLimiter, { strict: false }),
    meter: app.get(CallMeter, { strict: false }),
    answered,
  });
  takeForms(fastify);
  mountReferencePage(fastify);
  mountMockEndpoints(fastify, app.get(MockServer, { strict: false }));
  const ready = app.get(ReadyAnswers, { strict: false });
  connectAgentLink(app);
  return app;
}

/** The same as `connectMicroservice` does by itself, except that a filter counts only if it is there before the handlers. */
function connectAgentLink(app: NestFastifyApplication): void {
  const strategy = app.get(AgentLinkServer);
  const options = { inheritAppConfig: false, deferInitialization: true };
  const link = app.connectMicroservice<MicroserviceOptions>({ strategy }, options) as NestMicroservice;
  link.useGlobalFilters(new HandlerErrorsFilter());
  link.registerListeners();
  link.setIsInitialized(true);
  link.setIsInitHookCalled(true);
}
