import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from 'nestjs-pino';

import { AgentLinkServer } from './agent-link/agent-link-server.js';
import { AppModule } from './app.module.js';
import { Configuration } from './config/configuration.js';
import { Authenticator } from './http/authenticator.js';
import { configureFastify, createFastifyAdapter } from './http/fastify.js';
import { RouteTable } from './http/route-table.js';
import { JobQueue } from './job-queue/job-queue.js';
import { mountOpsPage } from './job-queue/ops-page.js';
import { MetricsService } from './operations/metrics.service.js';

/** The whole application, wired and not yet listening: `listen` opens HTTP, `startAllMicroservices` the agent link. */
export async function createApp(configuration: Configuration): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.for(configuration),
    createFastifyAdapter(),
    {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    },
  );
  app.useLogger(app.get(Logger));
  app.flushLogs();
  app.setGlobalPrefix('v1', { exclude: ['healthz', 'readyz', 'metrics'] });
  const metrics = app.get(MetricsService);
  configureFastify(app, {
    authenticator: app.get(Authenticator, { strict: false }),
    routes: new RouteTable(),
    answered: (request) => metrics.noteRequest(request),
  });
  mountOpsPage(app, app.get(JobQueue), configuration.ops);
  app.connectMicroservice({ strategy: app.get(AgentLinkServer) }, { inheritAppConfig: false });
  return app;
}
