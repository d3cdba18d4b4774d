import { fastifyCookie } from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions, NestMicroservice } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Logger } from 'nestjs-pino';
import { DataSource } from 'typeorm';

import { AgentLinkServer, HandlerErrorsFilter } from './agents/agent-link/receiving/agent-link-server.js';
import { OPERATIONS } from './api-description/operations.js';
import { mountReferencePage } from './api-description/reference-page.js';
import { AppModule } from './app.module.js';
import { Configuration } from './platform/config/configuration.js';
import { mountDashboard } from './dashboard/mount-dashboard.js';
import { mountModelFiles } from './dashboard/model-files.js';
import { Authenticator, SessionAuthenticator } from './platform/http/pipeline/identify-caller.js';
import { CallMeter } from './platform/http/pipeline/admission.js';
import { PREFIX } from './platform/http/operations/operation.js';
import { createFastifyAdapter, takeJsonOnly } from './platform/http/server/fastify.js';
import { limitDatabaseWaits } from './platform/http/server/limit-database-waits.js';
import { guardRequests, type ServedRequest } from './platform/http/pipeline/guard-requests.js';
import { OwnPage } from './platform/http/pipeline/own-page.js';
import { RateLimiter } from './platform/http/rate-limits/rate-limiter.js';
import { takeLargeBodies } from './platform/http/uploads/large-body.js';
import { takeForms } from './platform/http/uploads/multipart-form.js';
import { UploadMemory } from './platform/http/uploads/upload-memory.js';
import { MockServer } from './data/mock-endpoints/serving/mock-server.js';
import { PreparedResponses } from './data/mock-endpoints/serving/prepared-responses.js';
import { mountMockEndpoints } from './data/mock-endpoints/serving/mount-mock-endpoints.js';
import { MetricsService } from './monitoring/metrics.service.js';
import { logRequest } from './monitoring/request-log.js';
import { refuseDevelopmentDatabase } from './platform/persistence/data-source.js';

/**
 * Creates the whole application without opening a port. `listen` opens HTTP, and `startAllMicroservices`
 * opens the agent link.
 */
export async function createApp(configuration: Configuration): Promise<NestFastifyApplication> {
  const adapter = createFastifyAdapter({
    ...configuration.http,
    trustedProxies: configuration.http.trustedProxies ?? [],
    limiter: () => app.get(RateLimiter, { strict: false }),
    first: (request, response) => prepared.respond(request, response, onServed),
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.for(configuration), adapter, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  app.flushLogs();
  await refuseDevelopmentDatabase(app.get(DataSource));
  app.setGlobalPrefix(PREFIX, { exclude: ['healthz', 'readyz', 'dashboard/{*path}'] });
  const metrics = app.get(MetricsService);
  const onServed = (request: ServedRequest): void => {
    metrics.recordRequest(request);
    logRequest(request);
  };
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  takeJsonOnly(fastify);
  void fastify.register(fastifyCookie, { hook: false }); // only routes of the dashboard read cookies
  limitDatabaseWaits(fastify);
  guardRequests(fastify, {
    operations: OPERATIONS,
    authenticator: app.get(Authenticator, { strict: false }),
    sessions: app.get(SessionAuthenticator, { strict: false }),
    ownPage: new OwnPage(configuration.http.publicUrl),
    limiter: app.get(RateLimiter, { strict: false }),
    meter: app.get(CallMeter, { strict: false }),
    onServed,
  });
  const uploads = new UploadMemory();
  takeForms(fastify, uploads);
  takeLargeBodies(fastify, uploads);
  mountReferencePage(fastify);
  mountDashboard(fastify, configuration.http.publicUrl, app.get(Logger));
  mountModelFiles(fastify);
  mountMockEndpoints(fastify, app.get(MockServer, { strict: false }));
  const prepared = app.get(PreparedResponses, { strict: false });
  connectAgentLink(app);
  return app;
}

/**
 * Connects the agent link as `connectMicroservice` does, but adds the error filter first. A filter takes
 * effect only if it exists before the handlers are registered.
 */
function connectAgentLink(app: NestFastifyApplication): void {
  const strategy = app.get(AgentLinkServer);
  const options = { inheritAppConfig: false, deferInitialization: true };
  const link = app.connectMicroservice<MicroserviceOptions>({ strategy }, options) as NestMicroservice;
  link.useGlobalFilters(new HandlerErrorsFilter());
  link.registerListeners();
  link.setIsInitialized(true);
  link.setIsInitHookCalled(true);
}
